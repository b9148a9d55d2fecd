"""Django's settings. Every value that differs between machines comes through console.env."""

from pathlib import Path

from csp.constants import NONE, SELF

from console import env
from console.telemetry import lines

BASE_DIR: Path = env.BASE_DIR
DEBUG = env.flag("DEBUG")
SECRET_KEY = env.private("SECRET_KEY")
ALLOWED_HOSTS = env.hosts("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = env.listed("CSRF_TRUSTED_ORIGINS", "")
BEHIND_TLS = env.flag("BEHIND_TLS")

INSTALLED_APPS = [
    "django.contrib.admin.apps.SimpleAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "rest_framework",
    "drf_spectacular",
    "django_htmx",
    "django_rq",
    "csp",
    "console.ledger",
    "console.identity",
    "console.http",
    "console.notices",
    "approvals",
    "runs",
    "compensation",
    "console.pages",
    "console",
]

MIDDLEWARE = [
    "console.health.answered_first",
    "console.telemetry.requests.told",
    "django.middleware.security.SecurityMiddleware",
    "console.http.straight.straight",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "csp.middleware.CSPMiddleware",
]

ROOT_URLCONF = "console.urls"
ASGI_APPLICATION = "console.asgi.application"
APPEND_SLASH = False

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "builtins": ["console.pages.templatetags.counterfoil"],
        },
    },
]

# Three roles, one database: the owner migrates, the app role serves one tenant at a time, the worker role crosses tenants.
# A process that serves is better off without the owner's password: only `manage.py migrate` and `manage.py roles` need it.
POOL = {"min_size": 1, "max_size": env.whole("DATABASE_POOL", 12, least=1), "timeout": 10}
DATABASES = {
    "default": env.database("DATABASE_URL"),
    "worker": env.database("DATABASE_WORKER_URL"),
}
if env.given("DATABASE_OWNER_URL"):
    DATABASES["owner"] = env.database("DATABASE_OWNER_URL")
for _alias in DATABASES.values():
    _alias["CONN_MAX_AGE"] = 0
    _alias["CONN_HEALTH_CHECKS"] = True  # a connection that died in the pool is replaced before it is handed out
    _alias["DISABLE_SERVER_SIDE_CURSORS"] = True  # PgBouncer in transaction mode
if env.flag("DATABASE_POOLED", default=True):
    DATABASES["default"]["OPTIONS"]["pool"] = POOL  # type: ignore[index]
DATABASE_ROUTERS = ["console.database.OneRoleAtATime"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = env.bell("REDIS_URL")
# RQ ends a job that lasts longer: a last resort, beyond the longest attempt that a contract may ask for; a test compares.
SHIFT_LIMIT_SECONDS = env.whole("SHIFT_LIMIT_SECONDS", 90_000, least=60)
RQ_QUEUES = {
    "shifts": {
        "URL": REDIS_URL,
        "DEFAULT_TIMEOUT": SHIFT_LIMIT_SECONDS,
        "SERIALIZER": "rq.serializers.JSONSerializer",
        "REDIS_CLIENT_KWARGS": {"socket_connect_timeout": 0.2},
    }
}
RQ = {"COMMIT_MODE": "auto"}

DEMO = env.flag("DEMO")  # whether there is a tour
LEASE_SECONDS = float(env.whole("LEASE_SECONDS", 30, least=3))
LEASE_RENEW_SECONDS = float(env.whole("LEASE_RENEW_SECONDS", int(LEASE_SECONDS // 3), least=1))
DRAIN_SECONDS = float(env.whole("DRAIN_SECONDS", 10, least=0))

AUTH_USER_MODEL = "identity.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_ADAPTER = "console.identity.adapter.ClosedDoor"
ACCOUNT_REAUTHENTICATION_TIMEOUT = 300
MFA_ADAPTER = "console.identity.second_factors.SecondFactors"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_ALLOW_UNVERIFIED_EMAIL = True  # an administrator vouched for the address
MFA_TOTP_ISSUER = "Counterfoil"
MFA_TOTP_TOLERANCE = 1
MFA_RECOVERY_CODES_SHOW_ONCE = True
# allauth counts wrong passwords and codes in the cache: one count for all processes, in PostgreSQL.
CACHES = {"default": {"BACKEND": "console.identity.remembering.SharedMemory"}}
LOGIN_URL = "/accounts/login/"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_LOGOUT_REDIRECT_URL = "/accounts/login/"

SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = BEHIND_TLS
CSRF_FAILURE_VIEW = "console.pages.errors.forged"
SECURE_SSL_REDIRECT = False
SECURE_HSTS_SECONDS = 31536000 if BEHIND_TLS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_TLS else None
# What Django says of HSTS, redirects, cookies, the key, DEBUG and hosts names settings; console/checks.py names our variables.
SILENCED_SYSTEM_CHECKS = [f"security.W0{number:02}" for number in (4, 5, 8, 9, 12, 16, 18, 20, 21)]
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
LANGUAGE_CODE = "en-gb"
TIME_ZONE = "UTC"
USE_I18N = False
USE_TZ = True

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = env.folder("STATIC_ROOT", env.data_dir() / "static")
# A container holds the files collected, under names with their digests; a clone is served from where they are written.
STATIC_COLLECTED = env.flag("STATIC_COLLECTED")
if STATIC_COLLECTED:
    STORAGES = {
        "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
        "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
    }
WHITENOISE_USE_FINDERS = not STATIC_COLLECTED
WHITENOISE_ALLOW_ALL_ORIGINS = False
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024

REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["console.http.rendering.ExactJSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["console.http.parsing.ExactJSONParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": ["console.identity.authentication.KeyAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "console.http.problems.as_problem",
    "UNAUTHENTICATED_USER": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Counterfoil",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
}

# Notices by e-mail: without EMAIL_URL none is sent, and pages say so. PUBLIC_URL is where links in them lead.
EMAIL_IS_SENT = env.given("EMAIL_URL")
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_IS_SENT else 'dummy'}.EmailBackend"
if EMAIL_IS_SENT:
    (
        EMAIL_HOST, EMAIL_PORT, EMAIL_HOST_USER, EMAIL_HOST_PASSWORD, EMAIL_USE_SSL, EMAIL_USE_TLS,
    ) = env.mail("EMAIL_URL")  # fmt: skip
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.text("EMAIL_FROM", "counterfoil@localhost")
PUBLIC_URL = env.web_address("PUBLIC_URL")
# Hosts and networks that webhooks may reach although they are not of the public internet.
WEBHOOKS_MAY_REACH = env.reach("WEBHOOKS_MAY_REACH")

# What agents keep in checkpoints is sealed with the first, and opened with whichever sealed it; docs/checkpoints.md.
CHECKPOINT_KEYS = env.fernet_keys("CHECKPOINT_KEYS")

# Days that what is finished is kept; 0: for ever. docs/retention.md says what goes and what stays.
RETAIN_DAYS = {
    "runs": env.whole("RETAIN_RUNS_DAYS", 0),
    "alone": env.whole("RETAIN_ALONE_DAYS", 0),
    "receipts": env.whole("RETAIN_RECEIPTS_DAYS", 0),
    "refusals": env.whole("RETAIN_REFUSALS_DAYS", 0),
    "sessions": env.whole("RETAIN_SESSIONS_DAYS", 0),
    "messages": env.whole("RETAIN_MESSAGES_DAYS", 0),
}

# Whoever asks for /metrics bears it; without one there are none.
METRICS_TOKEN = env.private("COUNTERFOIL_METRICS_TOKEN") if env.given("COUNTERFOIL_METRICS_TOKEN") else ""

LOGGING = lines.settings(
    lines.form_for(env.one_of("LOG_FORMAT", "auto", lines.FORMS)),
    env.one_of("LOG_LEVEL", "INFO", ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")),
    access=env.flag("LOG_REQUESTS", default=True),
)
