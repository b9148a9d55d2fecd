"""The stable list of problem types: what each means, and what to do about it. A test holds it against every refusal in the code."""

from typing import NamedTuple


class ProblemType(NamedTuple):
    """What a code stands for."""

    status: int
    meaning: str
    what_to_do: tuple[str, ...] = ()


AGAIN = "Send the same request again, with the same key: it is done once."
LOOK = "Read the run or the effect again; the problem carries its current state and version."
NEW_KEY = "Take a new key for a new intent."
NOT_AGAIN = "Do not send it again as it is."
WELL_FORMED = "Write the body with a JSON library, in UTF-8."
PROBLEMS: dict[str, ProblemType] = {
    # What cannot be read.
    "bad_request": ProblemType(400, "The request cannot be read."),
    "malformed": ProblemType(400, "The body is not JSON. `path` says how far it could be read.", (WELL_FORMED,)),
    "not_utf8": ProblemType(400, "The body is not UTF-8.", (WELL_FORMED,)),
    "bom": ProblemType(400, "The body begins with a byte order mark.", (WELL_FORMED,)),
    "duplicate_key": ProblemType(
        400,
        "The same key stands twice in one object, so that two readers could see two different things.",
        (WELL_FORMED,),
    ),
    "bad_number": ProblemType(
        400,
        "A number is NaN, infinite or too large to be kept exactly.",
        ("Numbers have at most 100 significant digits, and their first digit stands within 100 places of the ones.",),
    ),
    "nul": ProblemType(
        400, "A text holds the NUL character, which cannot be stored.", ("Leave it out, or encode what is binary.",)
    ),
    "lone_surrogate": ProblemType(400, "A text holds half of a surrogate pair, which is no character.", (WELL_FORMED,)),
    "too_deep": ProblemType(400, "The body is nested more than 64 levels deep.", ("Flatten it.",)),
    "not_exact": ProblemType(400, "A value cannot be kept exactly."),
    "not_text": ProblemType(400, "The address or the form of a page holds a character that is no text."),
    "unreadable_message": ProblemType(
        400, "A signed message is text in UTF-8, without the NUL character.", (WELL_FORMED,)
    ),
    "missing_key": ProblemType(
        400,
        "The request has no Idempotency-Key.",
        ("Send one that names this intent, and send the same one when you repeat the request.",),
    ),
    "bad_key": ProblemType(
        400,
        "An Idempotency-Key has 1 to 255 printable ASCII characters and no space at either end.",
        ("Hash what is longer.",),
    ),
    "missing_token": ProblemType(
        400, "A driver's write carries the run's epoch.", ("Send the run's `epoch` as Fencing-Token.",)
    ),
    "nothing_selected": ProblemType(400, "The form names no request."),
    "bad_voice": ProblemType(400, "The form says in nobody's place that one could decide."),
    "bad_token": ProblemType(
        400, "The Fencing-Token is not a whole number.", ("Send the run's `epoch` as Fencing-Token.",)
    ),
    "bad_version": ProblemType(
        400, "If-Match does not hold an ETag.", ('Send the ETag of what you read with its quotes, such as "12".',)
    ),
    "unknown_parameter": ProblemType(
        400,
        "The address has a parameter that is not known there; ignoring it would answer another question.",
        ("See `known`.",),
    ),
    "bad_parameter": ProblemType(
        400, "A parameter of the address cannot be read.", ("See `parameter` and the description of the API.",)
    ),
    "bad_cursor": ProblemType(
        400, "The cursor was not given out for this list with these filters.", ("Begin again without a cursor.",)
    ),
    "bad_filter": ProblemType(400, "A filter of a page cannot be read."),
    "unknown_part": ProblemType(400, "A page has no such part."),
    "no_verdict": ProblemType(400, "A decision on a page says approve or deny."),
    # Who asks.
    "not_authenticated": ProblemType(
        401,
        "There is no key, or it is unknown, expired or revoked.",
        ("Send `Authorization: Bearer cf_…`. A key in the address is not looked at.",),
    ),
    "not_signed": ProblemType(
        401,
        "A message is not signed by a secret of the contracts that it is for, or not within five minutes; which is wrong is not said.",
        ("Sign id, time and body as Standard Webhooks do, with the secret that was agreed.",),
    ),
    "forbidden": ProblemType(403, "This is not yours to do.", (NOT_AGAIN,)),
    "denied_by_policy": ProblemType(
        403,
        "The policy denies it; `detail` and `rule` say why. Nobody is asked.",
        ("Do not do it, and do not ask for the same again.",),
    ),
    "wrong_kind_of_key": ProblemType(
        403,
        "The door is for agents' keys and this is a member's, or the reverse; `whose` says for which.",
        ("Use a key of that kind. Tasks of people are done on pages.",),
    ),
    "missing_scope": ProblemType(403, "The key lacks the scope that `scope` names.", ("Use a key with that scope.",)),
    "not_an_agent": ProblemType(403, "Runs belong to agents.", ("Use an agent's key.",)),
    "separation_of_duties": ProblemType(
        403,
        "Whoever asks, or answers for the agent that asks, does not decide. An agent decides nothing.",
        ("Wait for a person: poll the approval.",),
    ),
    "not_yours_to_revoke": ProblemType(403, "Only somebody who approved it, or an administrator, revokes it."),
    "not_delegated": ProblemType(
        403, "There is no delegation from the person that `voice` names to whoever decides that covers this now."
    ),
    "step_up_needed": ProblemType(
        403,
        "It needs a fresh proof of who the member is, at most `within_seconds` old; `since` says when they last gave one.",
        ("Prove it (POST /api/v1/step-up), and send the same once more with Step-Up-Proof.",),
    ),
    "not_vouching": ProblemType(
        403,
        "A standing approval needs the words of two people who make up what the policy asks; `rule` and `groups` say whom it asks.",
    ),
    "not_to_revoke": ProblemType(
        403, "Whoever proposed a standing approval, approvers of its groups and administrators end it."
    ),
    "no_grants_here": ProblemType(
        409, "No rule of the policy in force asks about this and lets a standing approval stand in."
    ),
    "too_many_asked": ProblemType(
        409, "The policy asks more people than the two by whose words a standing approval stands."
    ),
    "grant_closed": ProblemType(
        409, "The standing approval has ended, or was decided already; `state` says how.", (NOT_AGAIN,)
    ),
    "grant_over": ProblemType(409, "The time of the standing approval is over.", (NOT_AGAIN,)),
    "bad_grant": ProblemType(422, "The terms of a standing approval are not whole; `path` says where."),
    "grant_too_wide": ProblemType(
        422,
        "The policy does not let a standing approval be as wide; `uses`, `within_seconds` and `amount_most` say how wide it may be.",
    ),
    "not_eligible": ProblemType(403, "The policy asks approvers of other groups; `groups` names them."),
    # What there is.
    "not_found": ProblemType(404, "There is no such thing, or not for you: the answer is the same."),
    "method_not_allowed": ProblemType(405, "This address does not take that method.", ("See the header Allow.",)),
    # How it stands.
    "refused": ProblemType(409, "It was refused.", (LOOK,)),
    "stale_token": ProblemType(
        409,
        "Somebody else drives this run now; `epoch` is the current one.",
        ("Stop driving it.", "Do not take the epoch from this answer and go on."),
    ),
    "run_held": ProblemType(
        409,
        "Somebody drives this run: `holder` says who, `until` how long without a further sign of life.",
        ("Wait as long as Retry-After says, and ask again with a new key.", "Or have the holder release it."),
    ),
    "run_ended": ProblemType(409, "The run has ended or is ending and takes nothing more.", (LOOK,)),
    "may_not_cancel": ProblemType(403, "The contract lets others cancel this: `who` says whom."),
    "already_over": ProblemType(409, "The effect is over; there is nothing to cancel.", (LOOK,)),
    "not_closing": ProblemType(409, "The run is not being cancelled.", (LOOK,)),
    "may_not_compensate": ProblemType(
        403, "The contract lets others ask for this to be made good for: `who` says whom, `effect` of which."
    ),
    "effects_not_named": ProblemType(
        422, "`effects` names effects of this run, each once and at most 500; without it the whole run is meant."
    ),
    "not_compensable": ProblemType(
        409, "There is nothing to make good for: `effects` says why of each.", (LOOK, "Name the others.")
    ),
    "already_compensated": ProblemType(
        409,
        "It is made good for already, or is about to be: `item` is the work item, `by_effect` the effect that does it.",
        ("Follow that work item.",),
    ),
    "compensation_of_compensation": ProblemType(
        409, "It makes good for something itself, and its contract does not let that be made good for.", (NOT_AGAIN,)
    ),
    "not_to_reopen": ProblemType(
        409, "Only a run that failed, expired or was cancelled, and was not erased, is opened again.", (LOOK,)
    ),
    "nothing_left": ProblemType(409, "Nothing of the run waits for somebody to see to it.", (LOOK,)),
    "bad_cancellation": ProblemType(422, "A cancellation is of `run` or `tree`, `graceful` or `immediate`."),
    "not_cleanup": ProblemType(422, "The run type does not name this operation under `cancellation.cleanup`."),
    "deadline_needed": ProblemType(
        422, "The run's deadline has passed; say with `deadline_seconds` when it must end now."
    ),
    "run_waits": ProblemType(
        409, "The run waits, with nobody driving it.", ("Withdraw its waits, or go on when they have come.",)
    ),
    "paused": ProblemType(
        409,
        "Somebody paused this, or all of it: `scope`, `name` and `reason` say what and why. What was begun before goes on.",
        ("Wait: it can be begun when the pause is lifted, with the same key.",),
    ),
    "emergency_stop": ProblemType(
        409,
        "Everything of the tenant is stopped; `reason` says why, `since` when. Nothing is approved meanwhile; denying goes on.",
        ("Wait until an administrator has lifted the emergency stop.",),
    ),
    "already_paused": ProblemType(409, "It is paused already: `pause`, `by`, `since`."),
    "already_lifted": ProblemType(409, "The pause was lifted already, `at`. What it had stopped goes on."),
    "not_to_pause": ProblemType(
        403, "Operators and administrators pause and lift; what stops the whole tenant, administrators alone (`scope`)."
    ),
    "bad_pause": ProblemType(
        422,
        "A pause is of one run, of one operation or run type by its name, or of the tenant; only that may be an emergency stop.",
    ),
    "bad_wait": ProblemType(422, "The condition of a wait does not fit its kind; `path` names the part."),
    "time_repeated": ProblemType(
        422,
        "The clocks are put back on that day, so this time comes twice: `earlier` and `later` say when.",
        ("Say with `repeated` which one is meant.",),
    ),
    "time_skipped": ProblemType(
        422,
        "The clocks are put forward on that day, and this time does not come.",
        ("Say `skipped: later` to have it at `later`.", "Or name another time."),
    ),
    "wait_name_taken": ProblemType(
        409, "The run waits for something of this name already.", ("Name it otherwise, or take that one back.",)
    ),
    "too_many_waits": ProblemType(409, "A run has at most 100 open waits, and opens at most 20 together."),
    "wait_over": ProblemType(
        409, "The wait is over: `state` says whether it was met, has expired or was withdrawn.", (LOOK,)
    ),
    "unknown_wait": ProblemType(
        422, "`after_waits` names no wait of this run.", ("Name waits by name or by id that were opened before.",)
    ),
    "waited_in_vain": ProblemType(
        409, "What this would wait for has ended and did not come.", ("Propose it without, or open a new wait.",)
    ),
    "not_waiting": ProblemType(409, "The run does not wait.", (LOOK,)),
    "only_operators": ProblemType(403, "An operator has a run go on that waits."),
    "run_stopped": ProblemType(409, "The run is set aside until a person has decided.", (LOOK,)),
    "resume_first": ProblemType(
        409, "The run changed hands, and no resume has decided yet.", ("Resume it with its token.",)
    ),
    "corrections_unseen": ProblemType(
        409,
        "A user corrected the run: `corrections` are there, `seen` are taken into account. Nothing new is taken before all are.",
        ("Read the run's corrections, take them into account, acknowledge them, and send it again if it still fits.",),
    ),
    "contradicts_correction": ProblemType(
        409,
        "A user's correction, `correction`, says that this must not be: `text`.",
        (NOT_AGAIN, "Propose what the user wants, under a new key."),
    ),
    "not_yours_to_correct": ProblemType(
        403,
        "A run is corrected by an agent that may drive it, on a user's word, by whoever answers for it, an operator or an administrator.",
    ),
    "correction_text": ProblemType(422, "A correction says in 1 to 4,000 characters what is put right."),
    "source_missing": ProblemType(422, "An agent says in 1 to 500 characters where the user said so."),
    "bad_correction": ProblemType(
        422,
        "What a correction contradicts names an operation that exists, an argument or both; `must` is {op, value}. `path` names the part.",
    ),
    "no_such_correction": ProblemType(
        422, "The run has no correction of this number; `corrections` says how many it has."
    ),
    "run_exhausted": ProblemType(
        409,
        "A budget of the run has run out, and it is set aside: `budgets` says which.",
        ("Wait until an operator gives it more.", "Or give it up with /fail."),
    ),
    "limit_reached": ProblemType(
        409,
        "Less is left of `budget` than this would take; nothing was changed.",
        ("Ask for less.", "Or have an operator give the run more."),
    ),
    "bad_limit": ProblemType(
        422, "A limit is a whole number; that of cost a decimal of at most six places, as text. `path` names it."
    ),
    "limit_too_high": ProblemType(422, "The contract of the run type allows less: `allowed`."),
    "nothing_used": ProblemType(422, "A report of usage says how many tokens were used, what it cost, or both."),
    "too_much_used": ProblemType(422, "Together with what was reported before, this is more than can be kept."),
    "not_yours_to_extend": ProblemType(403, "An operator or an administrator gives a run more of what it may use."),
    "nothing_given": ProblemType(
        422, "An extension says how much more of which budget that the run has; `budgets` lists those."
    ),
    "not_enough": ProblemType(
        409, "With this the run would still have nothing left of a budget that ran out: `budgets`.", ("Give more.",)
    ),
    "run_out_of_time": ProblemType(409, "The run's deadline has passed.", ("Make a new run.",)),
    "unresolved_effects": ProblemType(
        409,
        "The run cannot be completed: `open` are still to be done, `unresolved` may have happened, `not_done` were required and not done.",
        (
            "Wait for what is open.",
            "Name what is unresolved in `accept_unresolved`, where the run type allows it.",
            "Else give the run up with /fail.",
        ),
    ),
    "compensation_open": ProblemType(
        409,
        "The run cannot be completed: what it makes good for is not over.",
        ("Wait until its work items are over.", "Or give the run up with /fail: it ends when they are."),
    ),
    "makes_good": ProblemType(
        409,
        "The effect makes good for another; no agent calls it off or takes its place.",
        ("Leave it. People see to it, by its work item.",),
    ),
    "already_begun": ProblemType(409, "The effect was begun and can no longer be withdrawn.", (LOOK,)),
    "not_by_you": ProblemType(
        403,
        "This is done by somebody else: by a worker, by the agent that drives the run, or by members whom the contract names.",
        ("See the effect's `executor`.",),
    ),
    "not_ready": ProblemType(
        409,
        "The effect cannot be begun as it stands.",
        (LOOK, "Wait until it is `ready`, and until `next_attempt_at`."),
    ),
    "already_held": ProblemType(
        409, "Somebody has begun it already; it is begun again only when that has come to its end.", (LOOK,)
    ),
    "effect_out_of_time": ProblemType(
        409, "The effect's deadline has passed.", ("Propose it again under a new key, if it is still wanted.",)
    ),
    "not_permitted": ProblemType(
        409,
        "The permission did not hold at the moment of use; `reason` says why. The effect has lapsed, or is judged again.",
        (LOOK,),
    ),
    "agent_inactive": ProblemType(409, "The agent that proposed this is not active.", ("Ask whoever answers for it.",)),
    "no_free_slot": ProblemType(
        409, "What this calls has as much in flight as it bears.", ("Begin it again after a while, with the same key.",)
    ),
    "permit_over": ProblemType(
        409,
        "What was begun with this key has come to its end, whichever way; the permit is no leave to do it once more.",
        ("Read the effect: `state` says how it stands.", "If it is ready again, begin it with a new key."),
    ),
    "stale_fence": ProblemType(
        409,
        "The fence is not that of the attempt. Nothing was taken, and nothing was kept.",
        ("Send the fence of the permit.",),
    ),
    "lease_lost": ProblemType(
        409,
        "The lease of the attempt has ended. A report that comes then is kept as evidence and changes nothing.",
        ("Stop doing it.", "Read the effect: it may be unknown, and people find out with what you reported."),
    ),
    "already_reported": ProblemType(
        409,
        "What came of the attempt was reported already; another report is kept as evidence and changes nothing.",
        (LOOK,),
    ),
    "predecessor_not_done": ProblemType(
        409,
        "What this would wait for has ended without being done.",
        ("Propose it without that, or supersede that first.",),
    ),
    "superseded_still_open": ProblemType(
        409,
        "What this would replace was begun and is not over, or may have happened, and its contract does not let another take its place.",
        ("Wait for its end.",),
    ),
    "already_replaced": ProblemType(
        409,
        "Another effect takes the place of this one already, and is not over in vain.",
        ("Follow that effect; propose another only when nothing came of it.",),
    ),
    "not_alone": ProblemType(
        409,
        "The request was asked about an effect of a run: `effect`.",
        ("Withdraw, begin or report the effect.",),
    ),
    "not_withdrawable": ProblemType(
        409, "The request has been used or has come to its end; nothing is left to withdraw."
    ),
    "not_decided_yet": ProblemType(
        409, "Nobody has decided it yet; `decide_by` says until when.", ("Wait for it with `?wait=30s`.",)
    ),
    "not_covered": ProblemType(
        409,
        "The approval does not cover this now; `verdict` says why: the state of the request, `digest_mismatch`, `lapsed`, "
        "`narrowed`, `policy_changed`, `quorum_lost` or `glass_closed`. It must not be done.",
        ("Look at the request: `may_resubmit` says whether asking anew makes sense.",),
    ),
    "already_used": ProblemType(
        409,
        "An approval is used once. `consumed_at` says when, and `outcome` what came of it, where that was reported.",
        ("Find out whether it was done, and report that.", "Ask anew, with a new key, for another one."),
    ),
    "finish_passed": ProblemType(
        409,
        "The time in which it had to be finished is over; the permit is no leave any more.",
        ("Report what became of it.",),
    ),
    "not_used": ProblemType(409, "The request was never used, so nothing came of it."),
    "outcome_stands": ProblemType(
        409, "What became of it was reported already; `outcome` says what. Only what is unknown can become known."
    ),
    "already_resolved": ProblemType(409, "The request was decided; `verdict`, `by` and `at` say how."),
    "nothing_said": ProblemType(409, "No approval of this person stands here that could be taken back."),
    "not_extendable": ProblemType(
        409,
        "The policy lets nobody put this deadline off so far; `latest` says how far it may be put off now, null: not at all.",
    ),
    "not_escalatable": ProblemType(409, "There is nobody else whom the policy would ask."),
    "not_revocable": ProblemType(409, "Only what is approved, or used and not closed, can be revoked."),
    "already_counted": ProblemType(409, "This person's word is counted already; nobody is counted twice."),
    "expired": ProblemType(
        409,
        "The time to decide has run out; it was not done.",
        ("Propose it again under a new key, if it is still wanted.",),
    ),
    "withdrawn": ProblemType(409, "The request was withdrawn before it was decided."),
    "policy_refused": ProblemType(
        422,
        "The policy cannot be put in force as it is; `faults` says each thing that is wrong, with its line.",
        ("Mend it, and try it again.",),
    ),
    "policy_version_taken": ProblemType(
        409,
        "This version of the policy, or a later one, is in force already with other content.",
        ("Look at what is in force, and give the change a new version.",),
    ),
    "policy_changed": ProblemType(
        409, "The policy changed after this was asked; the request is judged again.", ("Wait for the new request.",)
    ),
    "checkpoint_corrupted": ProblemType(
        409,
        "What was kept is damaged, cut off, or sealed with a key that is missing. Nothing of it is given out.",
        ("Go on from an earlier checkpoint, or from the run's record.",),
    ),
    "key_expired": ProblemType(
        410, "The key was used longer ago than its records are kept, or for what is erased.", (NEW_KEY,)
    ),
    "stale_version": ProblemType(
        412, "The run, the work item or the plan has changed since you read it; `version` is the current one.", (LOOK,)
    ),
    "stale_view": ProblemType(
        412,
        "What was shown is not what would be done now; `changes` says what differs, and `request` names what took its place.",
        ("Look again before you decide.",),
    ),
    "look_again": ProblemType(
        412,
        "What is known of the target is older than its contract allows; it is being read again.",
        ("Look at the request again in a moment, and decide on what it says then.",),
    ),
    "has_no_reader": ProblemType(409, "The contract does not say how the state of this target is read."),
    "shown_in_part": ProblemType(
        422, "What people would be shown is not all of what would be done, so nobody is asked."
    ),
    # What does not fit.
    "cannot_be_satisfied": ProblemType(
        422,
        "Nothing that was asked would be allowed by this, alone or together with what others allowed.",
        ("Deny it instead.",),
    ),
    "one_by_one": ProblemType(
        422, "It is of the high tier, and decided by itself.", ("Send this word alone, with a fresh proof.",)
    ),
    "not_narrower": ProblemType(
        422,
        "It would not allow less than what was asked; only what the policy names can be tightened, and only in its direction.",
    ),
    "too_large": ProblemType(
        413,
        "A body may have at most 1,048,576 bytes, and one with evidence files or a checkpoint 15,728,640.",
        ("Store what is large elsewhere and send a reference.",),
    ),
    "message_too_large": ProblemType(
        413,
        "A signed message may have at most 65,536 bytes.",
        ("Say what happened, and leave what is large to a question.",),
    ),
    "signal_too_large": ProblemType(
        422, "The body of a signal has at most 65,536 bytes.", ("Say what happened, and send a reference to the rest.",)
    ),
    "no_correlation": ProblemType(
        422,
        "The message does not hold what the contract names as its correlation, or it is empty or longer than 255 characters.",
        ("See `signals` of the run type's contract.",),
    ),
    "checkpoint_too_large": ProblemType(
        413,
        "The state is larger than the run type's contract allows: `most` bytes.",
        ("Store what is large elsewhere, and send it as an artifact: a reference with its digest.",),
    ),
    "unsupported_media_type": ProblemType(
        415, "The body is not declared as JSON.", ("Send Content-Type: application/json.",)
    ),
    "invalid": ProblemType(
        422, "The body does not fit; `errors` lists the faults, each with the JSON pointer of its place."
    ),
    "unknown_field": ProblemType(
        422, "The body holds a field that is not known, named by `path`.", ("Correct its name or leave it out.",)
    ),
    "key_reused": ProblemType(
        422,
        "The key already stands for something else; nothing was changed.",
        (NEW_KEY, "Find out which of the two you mean."),
    ),
    "bad_checkpoint": ProblemType(422, "A checkpoint has one state, as `state` or as `state_text`, or none."),
    "too_many": ProblemType(422, "At most 500 effects are accepted at once.", ("Send them in several requests.",)),
    "unknown_parent": ProblemType(
        422,
        "There is no run of this id that you drive.",
        ("Make it without a parent, or name the run that you drive.",),
    ),
    "too_many_generations": ProblemType(422, "Runs stand below each other at most eight deep; `most` says so."),
    "bad_versions": ProblemType(
        422,
        "Versions are model, prompt, policy, context, interface, workflow and code, each in 1 to 255 printable characters.",
    ),
    "unknown_checkpoint": ProblemType(422, "This run has no checkpoint of this number.", ("List its checkpoints.",)),
    "schema_missing": ProblemType(
        422,
        "The run has a checkpoint with a state, and neither the request nor the contract says which schema can be read.",
        ("Say with `schema_version` which one you can read.",),
    ),
    "not_going": ProblemType(409, "Only a run that goes on, or waits, can be set aside.", (LOOK,)),
    "not_quarantined": ProblemType(409, "This run is not set aside; there is nothing to release.", (LOOK,)),
    "nothing_to_accept": ProblemType(
        409,
        "No resume of this run waits for somebody who accepts changed versions.",
        ("Look at the last resume again.",),
    ),
    "bad_holder": ProblemType(422, "The process that drives says its name, in 1 to 255 printable characters."),
    "nothing_to_complete": ProblemType(
        422,
        "A run that completes by itself brings its effects with it.",
        ("Send `effects` with the run, or complete it yourself.",),
    ),
    "unknown_run_type": ProblemType(
        422, "No type of run of this name is in force.", ("Ask an operator which contracts are applied.",)
    ),
    "unknown_operation": ProblemType(
        422, "No operation of this name is in force.", ("Ask an operator which contracts are applied.",)
    ),
    "bad_arguments": ProblemType(
        422, "The arguments are not what the operation's contract takes; `errors` lists the faults with their places."
    ),
    "outcome_not_taken": ProblemType(
        422,
        "The contract does not know this outcome; `taken` lists those that can be reported.",
        ("Report `unknown` if none is true.",),
    ),
    "bad_result": ProblemType(
        422, "The result is not what the operation's contract says; `errors` lists the faults with their places."
    ),
    "evidence_missing": ProblemType(422, "The contract asks how it is known: evidence, in words or as a reference."),
    "arguments_too_long": ProblemType(
        422,
        "Arguments of what an agent does by itself have at most 65,536 characters, so that people can be shown all of them.",
    ),
    "detail_missing": ProblemType(
        422, "Say how it is known: what failed, what of it was done, or what shows what became of something unknown."
    ),
    "too_long": ProblemType(422, "A reason, a reference and evidence have at most 4,000 characters each."),
    "reserved_key": ProblemType(
        422,
        "Keys that begin with `compensates:` are those of effects that make good for others.",
        ("Take another key.",),
    ),
    "operation_not_in_run_type": ProblemType(422, "This type of run may not use that operation."),
    "unknown_effect": ProblemType(
        422, "`after` and `supersedes` name effects of the same run, by id or key, that were proposed before."
    ),
    "unresolved_not_named": ProblemType(
        422, "`accept_unresolved` names exactly the effects that are unknown or partial, where the run type allows it."
    ),
    "reason_missing": ProblemType(422, "Say why: this needs a reason, which is told to whom it concerns."),
    "reason_too_long": ProblemType(422, "A reason has at most 2,000 characters."),
    "reason_needed": ProblemType(422, "A denial needs a reason."),
    "read_needed": ProblemType(422, "Whoever approves something of the high tier says that they have read it."),
    # What people do about an outcome that is not confirmed.
    "missing_version": ProblemType(
        400,
        "A finding, or a checkpoint, carries the version that it was made by.",
        ("Send the ETag of the run, or of the effect's exits, as If-Match.",),
    ),
    "not_an_operator": ProblemType(
        403,
        "Operators and the members of the group that looks after it (`group`) act on what is not confirmed.",
    ),
    "not_yours_to_release": ProblemType(403, "Its owner lets it go, or an operator takes it from them."),
    "second_person": ProblemType(
        403,
        "Another member than the one who said it confirms or declines a finding, or how a work item ends, and approves a plan.",
        ("Withdraw your own word if it does not hold.",),
    ),
    "not_your_finding": ProblemType(403, "Whoever found it withdraws a finding.", ("Decline it, with a reason.",)),
    "not_unknown": ProblemType(
        409,
        "The effect is settled: `state`, `exit`, `by` and `ended_at` say how. Nothing is found out about it any more.",
        (LOOK,),
    ),
    "already_claimed": ProblemType(
        409, "Somebody looks after it already: `by`, `since`.", ("Have it handed over to you, if you take it on.",)
    ),
    "not_claimed": ProblemType(409, "Nobody looks after it; there is nothing to let go."),
    "asked_just_now": ProblemType(
        409,
        "The other side was asked a moment ago, is being asked, or is about to be.",
        ("Wait as long as Retry-After says.",),
    ),
    "cannot_be_asked": ProblemType(
        409,
        "The contract has neither a status query nor a read-back.",
        ("Find it out elsewhere, and say what you found with evidence.",),
    ),
    "finding_waits": ProblemType(
        409,
        "Somebody's finding about it, `resolution`, waits for a second person.",
        ("Confirm, decline or withdraw that one first.",),
    ),
    "finding_outdated": ProblemType(
        409, "It was done again after this was found, so the finding does not tell of it any more.", ("Find out anew.",)
    ),
    "finding_decided": ProblemType(409, "The finding is decided; `finding`, `by` and `at` say how.", (LOOK,)),
    "exit_not_allowed": ProblemType(
        409,
        "This way out is not open as it stands; `why` says why not.",
        ("Read the exits again; they say which are open.",),
    ),
    "attempts_used_up": ProblemType(
        409,
        "All attempts are used up, and trying again does not add any by itself.",
        ("Grant `extra_attempts`, with a `reason`, or give it up.",),
    ),
    "bad_hand_over": ProblemType(422, "It is handed to one active member, or to one group that somebody belongs to."),
    "bad_finding": ProblemType(422, "A part of the finding, named by `path`, does not fit its exit."),
    "not_a_moment": ProblemType(422, "The moment that a form names is none that there is."),
    "too_much_sent": ProblemType(422, "A form brings more than 5 files, or one of more than 2 MiB."),
    "no_version": ProblemType(
        400, "The form does not say as of which version it was shown.", ("Open the page again.",)
    ),
    "not_a_number": ProblemType(422, "The number that a form names is none."),
    "way_needed": ProblemType(422, "The form does not say which way out is taken."),
    "bad_evidence": ProblemType(
        422,
        "Evidence is a text of 1 to 4,000 characters; beside it may stand a link (http or https) and up to 5 files of up to 2 MiB each.",
    ),
    # What people do about work items of compensation.
    "item_over": ProblemType(
        409, "The work item is over: `state`, `reason` and `ended_at` say how. Nothing more is done about it."
    ),
    "item_at_work": ProblemType(
        409,
        "The effect that makes good for it is under way, may have happened, or has happened; `todo` says what comes first.",
        ("Wait for its answer, or find out what became of `acting` and say so with evidence.",),
    ),
    "ending_waits": ProblemType(
        409,
        "What somebody said of how the work item ends, `ending`, waits for a second person.",
        ("Confirm, decline or withdraw that one first.",),
    ),
    "ending_decided": ProblemType(409, "What was said of the work item is decided; `stands`, `by` and `at` say how."),
    "ending_outdated": ProblemType(
        409,
        "It was tried again after this was said, or whoever said it may not act on it any more.",
        ("Decline it, and say anew how it ends.",),
    ),
    "not_your_ending": ProblemType(403, "Whoever said how it ends takes that back.", ("Decline it, with a reason.",)),
    "checklist_open": ProblemType(
        409,
        "Points of the checklist are open; `open` names them.",
        ("Tick them off first, or let the work item be, with authority.",),
    ),
    "no_such_point": ProblemType(422, "The checklist has no point at this place; places begin with 0."),
    "nothing_to_retry": ProblemType(409, "Only what was tried in vain is tried again; `why` says how this one stands."),
    "nothing_to_run": ProblemType(409, "Nothing of the work item can be put forward; `why` says what it waits for."),
    "difference_changed": ProblemType(
        412,
        "What was found differs from what was shown.",
        ("Look at the work item again, and send the digest of its difference.",),
    ),
    "compensation_may_have_happened": ProblemType(
        409, "The last try was done, may be done yet, or was done in part; it is not simply done again.", (LOOK,)
    ),
    "compensation_by_people": ProblemType(409, "People do this: there is no operation that could be tried again."),
    "needs_nobody": ProblemType(
        409, "The work item does not wait for a person now, so that there is nothing to escalate."
    ),
    "top_of_ladder": ProblemType(
        409, "Everybody on the ladder of the work item was told.", ("Hand it over to somebody instead.",)
    ),
    "bad_item": ProblemType(422, "A part of the work item, named by `path`, does not fit."),
    "bad_ending": ProblemType(
        422,
        "It is waived with a reason and by an authority; of what is left up to 20 things are named, in up to 500 characters each.",
    ),
    "plan_decided": ProblemType(409, "The plan is decided; `state`, `by` and `at` say how."),
    # Who belongs to a tenant; refused on pages.
    "agent_stopped": ProblemType(409, "The agent is stopped and gets no key.", ("Start it again first.",)),
    "already_member": ProblemType(409, "This person is a member already."),
    "not_their_own": ProblemType(
        409,
        "The address cannot be added now: its account still has a first password.",
        ("Have the person sign in and change it.",),
    ),
    "last_administrator": ProblemType(
        409, "Nobody else administers this tenant.", ("Make somebody else an administrator first.",)
    ),
    "name_taken": ProblemType(409, "Another agent of this tenant has that name.", ("Choose another name.",)),
    "not_administrator": ProblemType(403, "Only an administrator of the tenant does that."),
    "not_for_you": ProblemType(403, "Who belongs to the tenant is shown to its administrators and auditors."),
    "not_answerable": ProblemType(403, "Only an administrator, an operator or the agent's owner does that."),
    "bad_agent": ProblemType(
        422, "An agent's name is small letters, digits, - and _, begins with a letter, and has at most 63 characters."
    ),
    "bad_group": ProblemType(
        422, "A group's name is small letters, digits, - and _, begins with a letter; there are at most 50 groups."
    ),
    "bad_person": ProblemType(422, "A person needs a name of at most 120 characters and an e-mail address."),
    "bad_terms": ProblemType(422, "A key lasts from 1 to 366 days and has one or more scopes of its kind."),
    "not_its_scope": ProblemType(422, "An agent's key has no scope of a member's, and the reverse; `scope` names it."),
    "bad_key_name": ProblemType(422, "A member's key has a name of 1 to 63 characters."),
    "not_a_member": ProblemType(403, "A key of one's own is made by an active member."),
    "no_owner": ProblemType(422, "An agent needs an owner: an active member of the tenant, who answers for it."),
    "unknown_role": ProblemType(422, "A role is one of approver, operator, admin and auditor."),
    "not_yours_to_give": ProblemType(
        403, "Members let others decide only for groups of their own; what was handed to them goes no further."
    ),
    "not_a_taker": ProblemType(422, "Only another active approver of the tenant can decide in somebody's place."),
    "bad_delegation": ProblemType(
        422, "A delegation names operations and lasts until a time to come, at most 90 days from now."
    ),
    "too_many_delegations": ProblemType(
        409, "At most 20 delegations are given, and at most 20 taken, by one person at a time."
    ),
    "no_glass_to_break": ProblemType(403, "The policy lets nobody release this over the heads of its approvers."),
    "not_among_breakers": ProblemType(
        403, "Only members of the `groups` that the policy names break the glass for this."
    ),
    "target_not_typed": ProblemType(422, "What was typed is not the target; `differs` says where."),
    "bad_time_box": ProblemType(
        422,
        "The glass is broken for at least a minute, and at most as long as the policy allows: from `least` to `most` seconds.",
    ),
    "glass_still_open": ProblemType(409, "A broken glass is reviewed when its time is over, or when it was closed."),
    "glass_reviewed": ProblemType(409, "This was reviewed already."),
    "not_their_review": ProblemType(
        403, "Another approver or an administrator reviews it: not who broke the glass, nor who answers for the agent."
    ),
    "not_yours_to_close": ProblemType(403, "Who broke the glass, an approver or an administrator closes it."),
    "proof_refused": ProblemType(
        403,
        "It proves nothing: the password or the code is wrong, or a second factor's code is needed.",
    ),
    "bad_proof": ProblemType(403, "The Step-Up-Proof is not known, or another's, or its time is over."),
    "too_many_tries": ProblemType(
        429, "It was tried too often in a short time.", ("Wait as long as Retry-After says.",)
    ),
    # Where notices go; refused on pages.
    "bad_channel": ProblemType(422, "No address of apprise, or none of the services that channels may use."),
    "bad_label": ProblemType(422, "A channel has a name, of at most 80 characters."),
    "unknown_taking": ProblemType(422, "There is no such kind of notice, or no such tier."),
    "bad_wishes": ProblemType(422, "Quiet hours, a zone or minutes that there are not."),
    "too_many_channels": ProblemType(409, "There are twenty channels already, stopped ones among them."),
    "channel_stopped": ProblemType(409, "The channel is stopped.", ("Start it again first.",)),
    "bad_endpoint": ProblemType(
        422,
        "An endpoint is an http or https address with a host and without a user, a password or a fragment, of at most 1,000 characters.",
    ),
    "unknown_kind": ProblemType(422, "There is no such kind of notice."),
    "too_many_endpoints": ProblemType(409, "The tenant has twenty endpoints already, stopped ones among them."),
    "endpoint_stopped": ProblemType(409, "The endpoint is stopped.", ("Start it again first.",)),
    "not_dead": ProblemType(409, "Only a delivery that was given up is sent again."),
    # What is kept how long; refused on pages and by commands.
    "already_erased": ProblemType(409, "The contents of this run were erased before."),
    "no_hold": ProblemType(400, "The form does not say which attempt it is about.", ("Open the task again.",)),
    "not_an_admin": ProblemType(
        403, "Only an admin erases, holds and releases; retention does by the policy in the settings."
    ),
    "not_to_erase": ProblemType(
        409,
        "The run is not to be erased: something in it goes on or is unknown, a key is still good, or it is on hold.",
    ),
    "record_does_not_hold": ProblemType(
        409,
        "The record of this does not hold, and erasing would hide how.",
        ("`manage.py verify` names what was altered.",),
    ),
    # What passes.
    "fault": ProblemType(
        500, "Something failed on our side and is logged. What was asked is done wholly or not at all.", (AGAIN,)
    ),
    "no_checkpoint_keys": ProblemType(
        503,
        "This installation has no keys to seal an agent's state with, so that none is kept.",
        ("Have CHECKPOINT_KEYS set.", "Send the checkpoint without a state."),
    ),
    "unavailable": ProblemType(
        503,
        "The record could not take this just now. What was asked is done wholly or not at all.",
        (AGAIN, "Wait as long as Retry-After says."),
    ),
    "too_many_waiting": ProblemType(
        503, "Too many requests wait here already.", ("Ask without `wait`, or wait as long as Retry-After says.",)
    ),
}
