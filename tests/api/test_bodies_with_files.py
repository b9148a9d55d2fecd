"""What takes files lets their bytes through to it: by REST, and by the forms of pages."""

import re
from uuid import uuid4

import pytest
from django.urls import reverse

from console.api import urlpatterns
from console.http.parsing import LARGEST_WITH_FILES
from console.http.size import WITH_FILES


def addresses() -> list[str]:
    """Give an address of each door whose body may be as large as files are."""
    doors = [
        each
        for each in urlpatterns
        if getattr(getattr(each.callback, "cls", None), "largest_body", 0) == LARGEST_WITH_FILES
    ]
    return [f"/api/v1/{re.sub(r'<uuid:[a-z]+>', str(uuid4()), str(each.pattern))}" for each in doors]


def test_every_door_that_takes_files_may_have_a_body_as_large_as_they_are() -> None:
    found = addresses()
    assert len(found) >= 3
    assert [each for each in found if not WITH_FILES.match(each)] == []


@pytest.mark.parametrize("name", ["resolve_work_item", "add_evidence"])
def test_so_may_the_forms_of_a_work_item(name: str) -> None:
    assert WITH_FILES.match(reverse(name, args=[uuid4()]))
    assert not WITH_FILES.match(reverse("waive_work_item", args=[uuid4()])), "which has no files"
