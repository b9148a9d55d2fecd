"""Contracts in force: new, unchanged or refused and why; a version never changes, and an earlier one does not come back (R-M1, R-M2)."""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db.utils import IntegrityError

from console.database import crossing_tenants
from console.documents import Fault, load
from console.env import BASE_DIR
from runs.applying import apply_all
from runs.models import Dependency, OperationContract, RunTypeContract
from tests.cast import inside
from tests.record import told
from tests.shop import Shop, dependency, draft, money, open_shop, operation, run_type

EXAMPLES = BASE_DIR / "examples" / "contracts"


@pytest.fixture
def bare(shop: Shop) -> Shop:
    """A tenant with people and an agent, and no contract yet."""
    return open_shop("bare", contracts="")


def put(shop: Shop, *texts: str) -> dict[str, str]:
    """Apply documents together; gives what became of each."""
    with crossing_tenants():
        found = list(apply_all(shop.office, [document for text in texts for document in load(text)]))
    return {f"{applied.document.kind} {applied.document.name}": applied.outcome for applied in found}


def faults(shop: Shop, *texts: str) -> list[str]:
    """Apply documents together; gives the codes of all faults."""
    with crossing_tenants():
        found = list(apply_all(shop.office, [document for text in texts for document in load(text)]))
    return [fault.code for applied in found for fault in applied.faults]


def versions(shop: Shop, model: Any, name: str) -> dict[int, bool]:
    """Give the versions of a contract, and whether each is in force."""
    with inside():
        found = model._default_manager.filter(tenant_id=shop.tenant.pk, name=name)
        return {each.version: each.retired_at is None for each in found}


def test_a_new_version_is_in_force_at_once_and_the_one_before_no_more(shop: Shop) -> None:
    assert put(shop, operation("pay", version=2)) == {"Operation pay": "new"}
    assert versions(shop, OperationContract, "pay") == {1: False, 2: True}


def test_the_same_again_is_unchanged(shop: Shop) -> None:
    assert set(put(shop, operation("pay"), dependency("bank"), run_type("errand"), money()).values()) == {"unchanged"}


def test_another_way_of_writing_the_same_is_unchanged(shop: Shop) -> None:
    same = "# the bank\n" + dependency("bank").replace("concurrency: 64", "concurrency:    64.0")
    assert put(shop, same) == {"Dependency bank": "unchanged"}


def test_a_version_once_applied_never_changes(shop: Shop) -> None:
    assert put(shop, operation("pay", timeout="6")) == {"Operation pay": "refused"}
    assert versions(shop, OperationContract, "pay") == {1: True}


def test_an_earlier_version_does_not_come_back(shop: Shop) -> None:
    put(shop, operation("pay", version=3))
    assert put(shop, operation("pay", version=2)) == {"Operation pay": "refused"}


@pytest.mark.parametrize("model", [Dependency, OperationContract, RunTypeContract])
def test_the_database_refuses_to_rewrite_what_was_applied(shop: Shop, model: Any) -> None:
    for change in ({"document": "{}"}, {"version": 9}, {"name": "other"}):
        with pytest.raises(IntegrityError, match="immutable"), inside():
            model._default_manager.filter(version=1).update(**change)


def test_documents_are_put_in_force_in_the_order_in_which_they_need_each_other(shop: Shop) -> None:
    hall = operation("hire", dependency="hall")
    assert put(shop, run_type("party", "[hire]"), hall, dependency("hall")) == {
        "Dependency hall": "new", "Operation hire": "new", "RunType party": "new",
    }  # fmt: skip


def test_an_operation_whose_dependency_is_not_there_is_refused(shop: Shop) -> None:
    assert put(shop, operation("hire", dependency="hall")) == {"Operation hire": "refused"}


def test_what_would_contradict_what_is_in_force_is_refused(shop: Shop) -> None:
    assert put(shop, run_type("party", "[hire]")) == {"RunType party": "refused"}
    slow = operation("pay", version=2, timeout="60")  # the bank's contract allows 30
    assert put(shop, slow) == {"Operation pay": "refused"}
    assert versions(shop, OperationContract, "pay") == {1: True}


def test_what_would_break_a_contract_in_force_is_refused(shop: Shop) -> None:
    hurried = dependency("bank", version=2).replace("timeout_seconds: 30", "timeout_seconds: 1")
    assert put(shop, hurried) == {"Dependency bank": "refused"}
    assert versions(shop, Dependency, "bank") == {1: True}


def test_one_that_is_refused_does_not_keep_the_others_out(shop: Shop) -> None:
    became = put(shop, operation("pay", version=2), operation("look", access="write"), dependency("hall"))
    assert became == {"Dependency hall": "new", "Operation pay": "new", "Operation look": "refused"}


def test_a_consequential_contract_with_an_open_question_is_refused_and_the_question_is_named(bare: Shop) -> None:
    put(bare, dependency("bank"))
    open_ended = operation("pay").replace("consequential: false", "consequential: true")
    assert put(bare, open_ended) == {"Operation pay": "refused"}
    assert set(faults(bare, open_ended)) == {"gap"}


def test_what_is_no_contract_is_refused(shop: Shop) -> None:
    for text in (
        "{apiVersion: counterfoil/v1, kind: Wish, name: peace, version: 1}",
        operation("pay", version=2, access="neither"),
    ):
        assert list(put(shop, text).values()) == ["refused"]


def test_each_tenant_has_contracts_of_its_own(shop: Shop, rival: Shop) -> None:
    put(rival, operation("pay", version=2))
    assert versions(shop, OperationContract, "pay") == {1: True}


def test_what_was_applied_is_told_with_all_that_is_recorded(shop: Shop) -> None:
    put(shop, operation("pay", version=2, marks="true"))
    kind, says = told(f"tenant:{shop.tenant.pk}")[-1]
    assert kind == "operation.applied"
    assert {name: says[name] for name in ("name", "version", "access", "dependency_name", "marks_before_send")} == {
        "name": "pay", "version": 2, "access": "write", "dependency_name": "bank", "marks_before_send": True,
    }  # fmt: skip
    assert set(says) == {"id", *OperationContract.recorded}


def test_what_was_refused_is_told_nowhere(shop: Shop) -> None:
    before = told(f"tenant:{shop.tenant.pk}")
    put(shop, operation("pay", timeout="6"))
    assert told(f"tenant:{shop.tenant.pk}") == before


def test_the_columns_that_the_engine_works_by_say_what_the_document_says(shop: Shop) -> None:
    with inside():
        wire, look, bank = (
            OperationContract.objects.get(name="wire"), OperationContract.objects.get(name="look"), Dependency.objects.get(name="bank"),
        )  # fmt: skip
    assert (wire.access, wire.dependency_name, wire.executor, wire.marks_before_send) == ("write", "bank", "http", True)
    assert (wire.attempts_allowed, wire.can_be_asked, look.access, look.marks_before_send) == (3, True, "read", False)
    assert bank.concurrency == 64


# The command


def command(shop: Shop, path: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Apply a path; gives what was said."""
    call_command("contracts", "apply", str(path), tenant=shop.tenant.slug)
    return capsys.readouterr().out.splitlines()


def test_the_examples_can_be_applied_and_applied_again(bare: Shop, capsys: pytest.CaptureFixture[str]) -> None:
    bare.change("amir", groups=["finance", "support"])  # whom the examples ask
    first = command(bare, EXAMPLES, capsys)
    assert "new       Operation refund 2" in first
    assert "new       Policy refunds 1" in first
    assert first[-1].endswith("0 unchanged, 0 refused")
    again = command(bare, EXAMPLES, capsys)
    assert again[-1] == f"0 new, {len(again) - 1} unchanged, 0 refused"


def test_the_command_names_each_fault_with_its_place_and_fails(
    shop: Shop, tmp_path: Path, capsys: pytest.CaptureFixture[str], one_role: None
) -> None:
    (tmp_path / "a.yaml").write_text(dependency("hall"))
    (tmp_path / "b.yml").write_text(operation("pay", version=2, access="neither"))
    with pytest.raises(CommandError, match="refused"):
        command(shop, tmp_path, capsys)
    said = capsys.readouterr().out
    assert "new       Dependency hall 1" in said
    assert "refused   Operation pay 2" in said
    assert "/access" in said
    assert said.splitlines()[-1] == "1 new, 0 unchanged, 1 refused"


@pytest.mark.parametrize("text", ["", "just text", "a: [", "a: 1\na: 2"])
def test_a_file_that_holds_no_contracts_changes_nothing(
    shop: Shop, tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str], one_role: None
) -> None:
    (tmp_path / "a.yaml").write_text(text)
    with pytest.raises(CommandError):
        command(shop, tmp_path, capsys)
    assert versions(shop, OperationContract, "pay") == {1: True}


def test_an_unknown_tenant_is_said_with_those_that_are_known(
    shop: Shop, tmp_path: Path, capsys: pytest.CaptureFixture[str], one_role: None
) -> None:
    with pytest.raises(CommandError, match="shop"):
        call_command("contracts", "apply", str(tmp_path), tenant="nobody")


def test_runs_go_on_under_the_run_type_that_they_were_accepted_under(shop: Shop) -> None:
    run = shop.accept()
    put(shop, run_type("errand", "[look]").replace("version: 1", "version: 2"))
    shop.propose(run, draft("a"))
    assert shop.states(run) == {"a": "ready"}


def test_what_was_applied_stays_unchanged_although_a_later_rule_would_refuse_it(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = operation("pay")
    assert [str(each.outcome) for each in shop.apply(text)] == ["unchanged"]
    monkeypatch.setattr("runs.applying.validate", lambda _: [Fault("/", "no_more", "This is refused now.")])
    assert [str(each.outcome) for each in shop.apply(text)] == ["unchanged"]
    assert [str(each.outcome) for each in shop.apply(operation("pay", version=2))] == ["refused"]
