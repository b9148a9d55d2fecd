"""What each problem type means, at the address that its `type` names: JSON for programs, a page for people."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt

from console.exact import Object, canonical
from console.http.problem_types import PROBLEMS
from console.http.problems import TITLES, TYPES, answer
from console.http.reading import for_reading
from console.http.refusals import NotFound


@for_reading
def problems(request: HttpRequest) -> HttpResponse:
    """List every problem type."""
    return _json({"items": [_shown(code) for code in sorted(PROBLEMS)]})


@for_reading
def problem(request: HttpRequest, code: str) -> HttpResponse:
    """Describe one problem type."""
    if code not in PROBLEMS:
        return nothing_here(request)
    if "text/html" in request.headers.get("Accept", ""):
        return render(request, "problem.html", {"problem": _shown(code)})
    return _json(_shown(code))


@csrf_exempt
def nothing_here(request: HttpRequest) -> HttpResponse:
    """Answer for an address under the API that is none."""
    return answer(NotFound(), request)


def _shown(code: str) -> Object:
    known = PROBLEMS[code]
    return {
        "type": TYPES + code,
        "code": code,
        "status": known.status,
        "title": TITLES[known.status],
        "meaning": known.meaning,
        "what_to_do": list(known.what_to_do),
    }


def _json(document: Object) -> HttpResponse:
    return HttpResponse(canonical(document), content_type="application/json")
