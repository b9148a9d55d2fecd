"""The mistakes that the tests must notice. Those in SQL are installed by the migrations of the copy's own database."""

from tests.mutants.mutation import Mutation

PURE = "tests/model/test_pure.py"
ROWS = "tests/model/test_rows.py"

LISTED = [
    Mutation(
        "the fence is dropped from the settlement", "runs/sql/settle.sql",
        "t.state = 'running' and t.fence = a.fence and e.fence = a.fence", "t.state = 'running'",
        ["tests/runs/test_settle.py::test_an_answer_under_another_fence_changes_nothing"],
    ),
    Mutation(
        "an answer to an attempt that was given up is taken", "runs/sql/settle.sql",
        "t.state = 'running' and t.fence = a.fence and e.fence = a.fence", "true",
        ["tests/runs/test_settle.py::test_the_answer_to_an_older_attempt_does_not_pass_for_the_answer_to_a_newer_one"],
    ),
    Mutation(
        "a timeout after bytes were sent is treated as failed", "runs/call.py",
        'return "transient" if access == "read" else "unknown"', 'return "transient"',
        ["tests/runs/test_call_failures.py::test_after_the_first_byte_nobody_knows"],
    ),
    Mutation(
        "a write whose worker vanished is ready again", "runs/sql/leases.sql",
        "(not t.marks_before_send or t.sent_mark_at is not null)", "(t.marks_before_send and t.sent_mark_at is not null)",
        ["tests/runs/test_leases.py::test_a_write_that_may_have_left_is_unknown_and_is_asked_about_at_once"],
    ),
    Mutation(
        "a key for each attempt", "runs/http_work.py",
        'key = effect_key(row["effect_id"])', 'key = effect_key(row["attempt_id"])',
        ["tests/runs/test_workshop.py::test_each_attempt_carries_the_same_key_and_a_higher_fence"],
    ),
    Mutation(
        "the digest is not compared with what was approved", "approvals/sql/use.sql",
        "when q.subject_digest <> asked.digest then 'digest_mismatch'", "when false then 'digest_mismatch'",
        ["tests/runs/test_claim.py::test_what_people_approved_is_the_digest_and_nothing_else"],
    ),
    Mutation(
        "the expiry of an approval is left to the sweep", "approvals/sql/use.sql",
        "when q.state = 'approved' and q.use_by <= p_now then 'lapsed'", "when false then 'lapsed'",
        ["tests/runs/test_claim.py::test_an_approval_that_was_not_used_in_time_begins_nothing_although_no_clock_has_passed"],
    ),
    Mutation(
        "an approver who left the group still counts", "approvals/sql/counted.sql",
        "on v.groups && s.groups and (", "on (",
        ["tests/runs/test_claim.py::test_a_vote_of_somebody_who_has_lost_the_role_does_not_count_at_use"],
    ),
    Mutation(
        "a broken glass stays open", "approvals/sql/use.sql",
        "where g.id = p_glass and g.ended_at is null and g.ends_at > p_now)", "where g.id = p_glass)",
        ["tests/breaking/test_breaking.py::test_no_later_attempt_begins_when_the_time_is_over_although_no_clock_has_passed"],
    ),
    Mutation(
        "work is begun after its finish-by", "approvals/sql/use.sql",
        "when q.finish_by <= p_now then 'finish_by'", "when false then 'finish_by'",
        ["tests/approvals/test_finishing.py"],
    ),
    Mutation(
        "a standing approval is used more often than it may be", "approvals/sql/grants.sql",
        "when uses >= g.uses_most then 'grant_used_up'", "when false then 'grant_used_up'",
        ["tests/approvals/test_granted.py::test_of_many_at_once_no_more_begin_than_there_are_uses"],
    ),
    Mutation(
        "what happened in part gives its unit back", "runs/sql/units.sql",
        "array_agg(e.state in ('succeeded', 'partial')", "array_agg(e.state in ('succeeded')",
        ["tests/approvals/test_granted.py::test_a_unit_is_given_back_only_when_it_is_proven_not_to_have_happened"],
    ),
    Mutation(
        "a policy that was superseded still permits", "approvals/sql/use.sql",
        "select p_policy.superseded_at is null and not (p_operation = any (p_policy.displaced))", "select true",
        ["tests/runs/test_claim.py::test_what_was_approved_under_a_superseded_policy_is_asked_again"],
    ),
    Mutation(
        "the bell is rung before the commit", "console/doorbell.py",
        "    after_commit(lambda: ring(*names, work=work))", "    ring(*names, work=work)",
        ["tests/ledger/test_moves.py::test_the_bell_rings_once_the_transaction_has_committed_and_never_before"],
    ),
    Mutation(
        "the deadline of an effect is left to the sweep", "runs/sql/claim.sql",
        "e.deadline_at > v_now", "true",
        ["tests/runs/test_claim.py::test_nothing_is_begun_after_its_deadline_although_no_clock_has_passed"],
    ),
    Mutation(
        "attempts are not counted over crashes", "runs/sql/leases.sql",
        ">= o.attempts_allowed", ">= 1000000",
        ["tests/runs/test_leases.py::test_an_effect_that_kills_its_worker_again_and_again_is_given_up_when_its_attempts_are_used_up"],
    ),
    Mutation(
        "one attempt too many", "runs/outcome.py",
        "if tried.attempts >= rule.attempts + tried.granted:", "if tried.attempts > rule.attempts + tried.granted:",
        ["tests/runs/test_outcome.py"],
    ),
    Mutation(
        "the time for recording is not kept back", "runs/outcome.py",
        "RESERVED_SECONDS = 2.0", "RESERVED_SECONDS = 0.0",
        ["tests/runs/test_outcome.py"],
    ),
    Mutation(
        "the client sends again by itself", "runs/call.py",
        "        except HungUp:", "        except (HungUp, aiohttp.ServerDisconnectedError):",
        ["tests/runs/test_call_once.py::test_a_kept_connection_closed_after_the_request_is_not_tried_again"],
    ),
    Mutation(
        "a stale driver is believed", "runs/driver.py",
        "if run.epoch != epoch or run.driver_id != by.id:", "if run.driver_id != by.id:",
        ["tests/runs/test_completion.py::test_a_stale_driver_ends_nothing"],
    ),
    Mutation(
        "the version is not compared", "runs/driver.py",
        "if version is not None and version != run.ledger_seq:", "if False:",
        ["tests/api/test_driving.py::test_a_write_that_believes_in_another_version_is_refused_with_the_current_one"],
    ),
    Mutation(
        "a run is completed with something unknown", "runs/sql/finish.sql",
        "filter (where e.state = 'unknown' or (e.state = 'partial' and e.required and e.reconciled_at is null))", "filter (where false)",
        ["tests/runs/test_completion.py::test_what_is_unknown_stands_in_the_way_required_or_not"],
    ),
    Mutation(
        "the cap of a dependency is not counted", "runs/sql/claim.sql",
        "q.place <= least(d.concurrency, h.slots) - coalesce(b.n, 0)", "true",
        ["tests/runs/test_performing.py::test_what_a_dependency_bears_holds_for_permits_too"],
    ),
    Mutation(
        "two requests with one key do it twice", "console/http/keys.py",
        "if kept.pk == mine.pk:", "if True:",
        ["tests/api/test_idempotency.py::test_idm_01_twenty_at_once_complete_once_with_one_receipt"],
    ),
    Mutation(
        "evidence of what came late is thrown away", "runs/sql/settle.sql",
        "if late is not null then", "if false then",
        ["tests/runs/test_settle.py::test_another_answer_to_the_same_attempt_is_late"],
    ),
    Mutation(
        "the record is not chained", "console/ledger/sql/append.sql",
        "prevs[i] := head_hash;", "prevs[i] := ''::bytea;",
        ["tests/ledger/test_chain.py::test_each_entry_follows_from_the_one_before_and_the_row_carries_the_head"],
    ),
    Mutation(
        "absence is taken for proof", "runs/looked.py",
        "if asking.absence_is_proof and early <= 0:", "if early <= 0:",
        ["tests/runs/test_looked.py::test_absence_proves_nothing_where_the_contract_does_not_say_so"],
    ),
    Mutation(
        "absence is believed at once", "runs/looked.py",
        "if asking.absence_is_proof and early <= 0:", "if asking.absence_is_proof:",
        ["tests/runs/test_looked.py::test_absence_so_soon_proves_nothing_and_is_asked_about_when_it_will"],
    ),
    Mutation(
        "it is sent again without leave", "runs/sql/repeat.sql",
        "when not coalesce((o.document::jsonb #>> '{unknown,resend_same_key}')::boolean, false) then", "when false then",
        [f"{ROWS}::test_what_the_contract_does_not_let_be_sent_again_is_not_whatever_is_due"],
    ),
    Mutation(
        "it is sent again although its run is closing", "runs/sql/repeat.sql",
        "e.compensates_id is null and r.state not in ('running', 'waiting') then", "false then",
        [f"{ROWS}::test_what_stands_in_the_way_of_a_repetition_is_judged_when_it_is_claimed"],
    ),
    Mutation(
        "a refusal of a repetition settles the first", "runs/outcome.py",
        'if outcome in {"succeeded", "partial"}:', "if outcome in SETTLES:",
        [f"{PURE}::test_only_what_the_contract_lets_be_sent_again_is"],
    ),
    Mutation(
        "looks are not rate-limited", "runs/sql/pace.sql",
        "q.turn <= p.tokens + 1e-9 as goes", "q.purpose = 'looks' or q.turn <= p.tokens + 1e-9 as goes",
        [f"{ROWS}::test_the_other_side_is_not_asked_faster_than_it_bears"],
    ),
    Mutation(
        "the budget of retries is ignored", "runs/sql/pace.sql",
        "q.turn <= p.tokens + 1e-9 as goes", "q.purpose = 'retries' or q.turn <= p.tokens + 1e-9 as goes",
        [f"{ROWS}::test_retries_beyond_the_budget_wait_and_use_nothing_up"],
    ),
    Mutation(
        "the wish to be left alone is not heeded", "runs/outcome.py",
        "return retry_after if rule.honour_retry_after and retry_after is not None else 0.0", "return 0.0",
        ["tests/runs/test_outcome.py::test_who_asks_to_be_left_alone_is_left_alone_for_as_long_where_the_contract_says_so"],
    ),
    Mutation(
        "every wait is the longest", "runs/outcome.py",
        "return random.uniform(0, rule.ceiling(attempts))", "return rule.ceiling(attempts)",
        [f"{PURE}::test_waits_are_spread_over_all_of_their_bounds"],
    ),
    Mutation(
        "an unknown fails by its age", "runs/sweep.py",
        "due = Effect.objects.filter(state__in=UNSTARTED, deadline_at__lte=DatabaseNow())",
        'due = Effect.objects.filter(state__in=[*UNSTARTED, "unknown"], deadline_at__lte=DatabaseNow())',
        [f"{ROWS}::test_unk_04_no_age_no_clock_and_no_end_of_its_run_makes_it_failed"],
    ),
    Mutation(
        "the second person is not compared with the first", "runs/unknowns/seconding.py",
        "if resolution.proposed_by_id == by.principal:", "if False:",
        ["tests/unknowns/test_resolving.py::TestASecondPerson"],
    ),
    Mutation(
        "who said how an item ends says the second word too", "compensation/deeds/seconding.py",
        "if ending.proposed_by_id == by.principal:", "if False:",
        ["tests/compensation/test_deeds_ending.py::TestASecondPerson"],
    ),
    Mutation(
        "an item is ended beside an effect that may have happened", "compensation/deeds/standing.py",
        "    if state in TODO:", "    if state in {DISPATCHED}:",
        ["tests/compensation/test_deeds_trying.py::test_what_goes_on_or_may_have_happened_is_neither_tried_again_nor_ended"],
    ),
    Mutation(
        "evidence is not required", "console/http/evidence.py",
        "if not 1 <= len(evidence) <= LONGEST_EVIDENCE:", "if len(evidence) > LONGEST_EVIDENCE:",
        ["tests/unknowns/test_resolving.py::test_evidence_is_needed_and_is_kept_with_its_files"],
    ),
    Mutation(
        "what changed meanwhile is resolved", "runs/unknowns/news.py",
        "if version > run.ledger_seq or run.ledger_seq - version > READ or _is_news(held, version):", "if False:",
        ["tests/unknowns/test_resolving.py::test_nobody_resolves_what_changed_since_they_looked"],
    ),
    Mutation(
        "more attempts are granted by themselves", "runs/unknowns/resolving.py",
        "if way.needs_extra and not extra:", "if False:",
        ["tests/unknowns/test_resolving.py::test_ret_05_attempts_that_are_used_up_come_only_with_a_reason"],
    ),
    Mutation(
        "it is written down that it is sent only after it was", "runs/http_work.py",
        "if acting and http and http.mark_before_send:", "if False:",
        ["tests/runs/test_workshop.py::test_the_mark_is_written_before_anything_is_sent"],
    ),
    Mutation(
        "the signature of a callback is not checked", "runs/callbacks/signing.py",
        'found |= hmac.compare_digest(ours.encode(), theirs.encode("utf-8", "replace"))', "found = True",
        ["tests/runs/test_callbacks.py::test_sec_11_whatever_is_wrong_is_refused_alike_and_changes_nothing"],
    ),
    Mutation(
        "an old callback is believed", "runs/callbacks/signing.py",
        "return abs((now - self.signed_at).total_seconds()) <= TOLERANCE_SECONDS", "return True",
        ["tests/runs/test_callbacks.py::test_sec_11_whatever_is_wrong_is_refused_alike_and_changes_nothing"],
    ),
    Mutation(
        "what makes good acts without looking first", "runs/sql/claim.sql",
        "when p_state = 'ready' and p_expects <> '' and p_next_step not in ('checked', 'target') then 'check'",
        "when false then 'check'",
        ["tests/runs/test_checks.py::test_it_is_read_before_it_acts_and_stays_ready_meanwhile"],
    ),
    Mutation(
        "what somebody changed since is overwritten", "runs/checking.py",
        "return Step(WITHDRAWN, None, f\"{DIFFERS}: {_in_words(found)}.\") if found else Step(READY, 0.0, reason, CHECKED)",
        "return Step(READY, 0.0, reason, CHECKED)",
        ["tests/runs/test_checks.py::test_what_somebody_changed_since_is_left_alone_and_the_difference_is_kept"],
    ),
    Mutation(
        "an answer that says done is taken as done", "runs/verifying.py",
        "if rule is None or step.state != SUCCEEDED:", "if True:",
        ["tests/runs/test_verify.py::test_a_200_for_what_was_not_done_is_unknown_and_somebody_sees_to_it"],
    ),
    Mutation(
        "what is made good for already is planned again", "compensation/plans/planning.py",
        "    if each.item is not None:\n        return COVERED", "    if False:\n        return COVERED",
        ["tests/compensation/test_planning.py::test_what_is_covered_is_not_planned_again_and_the_item_is_named"],
    ),
    Mutation(
        "what may have made good is tried again", "compensation/working/starting.py",
        "if last is not None and may_have_happened(last):", "if False:",
        ["tests/compensation/test_starting.py::test_what_may_have_been_done_is_not_tried_again"],
    ),
    Mutation(
        "nothing waits for its turn", "compensation/working/turns.py",
        "return None if kept_by is None else Stand(WAITING, FOR_ORDER, _after(kept_by))", "return None",
        ["tests/compensation/test_starting.py::test_what_comes_after_waits_and_says_for_what"],
    ),
    Mutation(
        "what may not have happened is made good for", "compensation/working/turns.py",
        "        if effect is not None and effect.state in OPEN:\n            return Stand(WAITING, FOR_RECONCILIATION",
        "        if False:\n            return Stand(WAITING, FOR_RECONCILIATION",
        ["tests/compensation/test_starting.py::test_what_is_unknown_is_found_out_first"],
    ),
    Mutation(
        "a run ends although what it did is not made good for", "runs/sql/finish.sql",
        "cardinality(g.unstarted) = 0 and r.compensation in ('', 'over')", "cardinality(g.unstarted) = 0",
        ["tests/compensation/test_at_the_bank.py::test_cmp_01_a_refund_that_is_refused_is_somebodys_work_and_the_run_does_not_end"],
    ),
    Mutation(
        "nobody is told of what was done in part", "runs/sql/settle.sql",
        "when a.state in ('unknown', 'partial') then v_now end", "when a.state = 'unknown' then v_now end",
        ["tests/unknowns/test_alerts_of_partial.py::test_the_first_look_sets_the_objective_and_tells_nobody"],
    ),
    Mutation(
        "a breaker lets everything try at once", "runs/sql/breaker.sql",
        "> p_now then 0 else 1 end", "> p_now then 0 else 64 end",
        ["tests/runs/test_breaker.py::test_then_one_call_at_a_time_tries_and_an_answer_lets_all_go_on"],
    ),
    Mutation(
        "each try of a long outage counts as a first failure", "runs/sql/breaker.sql",
        "and (p.at is not null or (s.n", "and ((s.n",
        ["tests/runs/test_breaker.py::test_a_try_that_fails_begins_the_wait_anew_however_long_the_outage_is"],
    ),
]  # fmt: skip
