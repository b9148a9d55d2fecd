"""Every entry of a plan's record, every state and every cause has its words."""

import pytest

from compensation.fold import KINDS
from compensation.sentences import CAUSES, SENTENCES, STATES, WAITS, About, sentence, standing
from compensation.states import CAUSES as CAUSE_WORDS
from compensation.states import ITEM_STATES, WAITING, WAITS_FOR

ABOUT = About(items={"a": 2}, beside={"e": "a"}, endings={"e": "waive"}, people={"m": "Oscar Wren"})


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_entry_is_a_sentence_also_where_its_contents_were_erased(kind: str) -> None:
    for facts in (
        {"item": "a", "is": {}},
        {"ending": "e", "is": {"decided_reason": "No."}},
        {"plan": "p", "is": {}},
        {},
    ):
        said = sentence(kind, facts, ABOUT)
        assert said.endswith("."), said
        assert said[0].isupper(), said
        assert "does not know" not in said


def test_nothing_is_said_of_what_is_not_recorded() -> None:
    assert SENTENCES.keys() >= {*KINDS}
    assert sentence("item.sold", {}, ABOUT) == "Recorded “item.sold”, which this version does not know."


def test_states_causes_and_what_is_waited_for_have_words() -> None:
    assert STATES.keys() == {*ITEM_STATES}
    assert CAUSES.keys() == {*CAUSE_WORDS}
    assert WAITS.keys() == {each for each in WAITS_FOR if each}
    assert standing(WAITING, "order") == "It waits until what comes before it is over."
    assert standing(WAITING) == "It waits."


def test_an_ending_is_told_with_the_item_that_it_ends() -> None:
    said = sentence("ending.confirmed", {"ending": "e", "is": {"decided_reason": "I see it too."}}, ABOUT)
    assert said == "Confirmed that work item 2 is waived: I see it too."
    assert (
        sentence("item.owned", {"item": "a", "is": {"owner_id": "m"}}, ABOUT)
        == "Work item 2 is looked after by Oscar Wren."
    )
    assert sentence("item.owned", {"item": "a", "is": {"owner_id": None}}, ABOUT) == "Work item 2 was let go."


def test_news_of_an_item_says_what_was_learnt_or_how_it_stands_and_who_was_told() -> None:
    tell = lambda **said: sentence("item.told", {"item": "a", "is": said}, ABOUT)  # noqa: E731
    late = "An answer came late: it says succeeded."
    assert tell(state="failed", waits_for="", state_reason=late, level=0) == f"Learnt of work item 2: {late}"
    assert (
        tell(state="waiting", waits_for="order", state_reason="")
        == "Work item 2 stands so: it waits until what comes before it is over."
    )
    assert tell(level=2, owner_group="admins") == "Work item 2 needs somebody, and admins were told."
