"""Policies on the pages: whom each asks, a draft that is tried, and publishing it, without JavaScript."""

from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from approvals.models import Policy
from tests.cast import Company, inside, signed_in
from tests.pages.browsing import text
from tests.work import sweep

TWO_ABOVE_100 = """# tried by somebody
apiVersion: counterfoil/v1
kind: Policy
name: money
version: {version}
operations: ["*"]
rules:
  - name: transfers
    when: {{path: operation, op: eq, value: transfer}}
    then: ask
    ask: {{groups: [finance], quorum: 1, decide_within_seconds: 14400, use_within_seconds: 3600}}
  - name: dear
    when: {{path: arguments.amount, op: gt, value: {above}}}
    then: ask
    ask: {{groups: [finance], quorum: {quorum}, decide_within_seconds: 1800, use_within_seconds: 3600}}
  - {{name: small, then: allow}}
"""


def draft(version: int = 9, quorum: int = 2, above: int = 50) -> str:
    """Write a later version of the policy that governs what moves money."""
    return TWO_ABOVE_100.format(version=version, quorum=quorum, above=above)


def try_it(browser: Client, policy: str) -> Any:
    return browser.post("/policies/-/draft/try", {"text": policy})


def publish(browser: Client, policy: str, key: str = "") -> Any:
    form = {"text": policy, "idempotency_key": key or str(uuid4())}
    return browser.post("/policies/-/draft/publish", form, follow=True)


def version(acme: Company) -> int:
    with inside(acme.tenant.pk):
        return Policy.objects.get(name="money", superseded_at=None).version


@pytest.fixture
def dora(acme: Company) -> Client:
    """An administrator's browser."""
    return signed_in(acme.dora)


def test_the_list_says_what_each_governs_and_how_much_stands_on_it(acme: Company) -> None:
    acme.propose(acme.run())
    said = text(signed_in(acme.ann).get("/policies"))
    assert "money" in said
    assert "version 1" in said


def test_a_policy_says_whom_each_rule_asks_and_who_that_is_today(acme: Company) -> None:
    said = text(signed_in(acme.ann).get("/policies/money"))
    assert "of finance must approve within" in said
    assert "finance today: " in said
    assert acme.ann.user.name in said


def test_what_is_wrong_is_named_with_its_line(dora: Client) -> None:
    answer = try_it(dora, draft(quorum=0))
    assert answer.status_code == 422
    assert "Line 15 , /rules/1/ask/quorum" in text(answer)
    assert "Publish money" not in text(answer)
    assert "silence_never_approves" in text(try_it(dora, draft().replace("quorum: 2", "on_timeout: approve")))
    assert "This is not YAML" in text(try_it(dora, "a: [1"))
    assert "one document of the kind Policy" in text(try_it(dora, "kind: Operation"))
    assert "nobody_can_satisfy" in text(try_it(dora, draft(quorum=9)))


def test_a_draft_says_what_it_would_change_and_changes_nothing(acme: Company, dora: Client) -> None:
    asked = acme.propose(acme.run(), amount="120")
    answer = try_it(dora, draft())
    assert answer.status_code == 200
    assert "1 pending would need more approvers" in text(answer)
    assert asked.summary in text(answer)
    assert version(acme) == 1


def test_a_file_is_taken_instead_of_the_text(acme: Company, dora: Client) -> None:
    file = SimpleUploadedFile("money.yaml", draft().encode(), content_type="application/yaml")
    answer = dora.post("/policies/-/draft/try", {"text": "", "file": file})
    assert "What money, version 9, would change" in text(answer)


def test_publishing_it_puts_it_in_force_and_sending_that_again_does_not(acme: Company, dora: Client) -> None:
    acme.propose(acme.run(), amount="120")
    key = str(uuid4())
    for _ in range(2):
        answer = publish(dora, draft(), key)
        assert answer.redirect_chain[-1][0].startswith("/policies/money?receipt=")
        assert "Published." in text(answer)
    assert version(acme) == 9
    assert "1 of 1 that stood on the version before" in text(answer)
    sweep()
    assert "Nothing waits to be judged again" in text(dora.get("/policies/money"))


def test_a_version_that_is_there_with_other_content_is_refused(acme: Company, dora: Client) -> None:
    publish(dora, draft())
    answer = publish(dora, draft(above=60))
    assert answer.status_code == 409
    assert "version_immutable" in text(answer)
    assert publish(dora, draft(version=3)).status_code == 409
    assert version(acme) == 9


@pytest.mark.parametrize("name", ["ann", "oscar"])
def test_only_an_administrator_publishes(acme: Company, name: str) -> None:
    browser = signed_in(acme.members[name])
    assert "Publish money" not in text(try_it(browser, draft()))
    assert publish(browser, draft()).status_code == 403
    assert version(acme) == 1


def test_hostile_text_is_shown_inert_and_a_policy_of_another_tenant_is_not_there(
    acme: Company, globex: Company, dora: Client
) -> None:
    answer = try_it(dora, draft().replace("# tried by somebody", "description: '</textarea><script>x</script>'"))
    assert "<script>x" not in answer.content.decode()
    publish(dora, draft())
    stranger = signed_in(next(iter(globex.members.values())))
    assert "version 9" not in text(stranger.get("/policies"))
    assert stranger.get("/policies/nowhere").status_code == 404
