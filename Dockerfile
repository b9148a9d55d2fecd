# One image for web, worker, clock and commands: what it is started with chooses (compose.yaml shows each).
ARG PYTHON_IMAGE=python:3.13-slim-bookworm

FROM ${PYTHON_IMAGE} AS build
# Where packages come from is for whoever builds to say; pip and uv read these, and nothing is named here.
ARG PIP_INDEX_URL
ARG PIP_EXTRA_INDEX_URL
ARG UV_DEFAULT_INDEX
ARG UV_INDEX
ENV PYTHONDONTWRITEBYTECODE=1
WORKDIR /app
COPY pyproject.toml uv.lock ./
COPY .ci/install .ci/install
RUN .ci/install serve
RUN .venv/bin/python -m pip uninstall --yes --quiet uv pip
COPY manage.py ./
COPY approvals approvals
COPY compensation compensation
COPY console console
COPY runs runs
COPY static static
COPY templates templates
# The settings are read and nothing is connected to.
RUN SECRET_KEY=only-while-building REDIS_URL=redis://nowhere DATABASE_URL=postgresql://nobody@nowhere/nothing \
    DATABASE_WORKER_URL=postgresql://nobody@nowhere/nothing STATIC_COLLECTED=yes STATIC_ROOT=/app/staticfiles \
    .venv/bin/python manage.py collectstatic --no-input --verbosity 0
RUN .venv/bin/python -m compileall -q --invalidation-mode unchecked-hash approvals compensation console runs
RUN rm -rf .ci uv.lock

FROM ${PYTHON_IMAGE}
ENV PATH=/app/.venv/bin:/usr/local/bin:/usr/bin:/bin \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    STATIC_COLLECTED=yes \
    STATIC_ROOT=/app/staticfiles \
    PORT=8000
WORKDIR /app
COPY --from=build /app /app
# It writes nowhere but /tmp: the root may be read-only.
USER 10001:10001
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s --retries=3 CMD ["python", "manage.py", "health", "web"]
CMD ["python", "manage.py", "web", "--host", "0.0.0.0"]
