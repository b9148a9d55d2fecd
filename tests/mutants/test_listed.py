"""The list of mistakes is good for something only while each can still be made, and while the tests that must notice are there."""

import re

import pytest

from console.env import BASE_DIR
from tests.mutants.listed import LISTED
from tests.mutants.mutation import Mutation

NAMES = [each.name for each in LISTED]


def test_there_are_enough_of_them_and_each_has_its_own_name() -> None:
    assert len(NAMES) >= 20
    assert len(set(NAMES)) == len(NAMES)


@pytest.mark.parametrize("mutation", LISTED, ids=NAMES)
def test_its_text_stands_in_the_tree_exactly_once_and_changes(mutation: Mutation) -> None:
    assert mutation.times() == 1, f"{mutation.file} does not say it once: {mutation.before}"
    assert mutation.before != mutation.after


@pytest.mark.parametrize("mutation", LISTED, ids=NAMES)
def test_the_tests_that_must_notice_are_there(mutation: Mutation) -> None:
    assert mutation.tests
    for test in mutation.tests:
        file, _, name = test.partition("::")
        assert (BASE_DIR / file).exists(), file
        assert not name or re.search(
            rf"^(async def|def|class) {name}\b", (BASE_DIR / file).read_text(), re.MULTILINE
        ), name
