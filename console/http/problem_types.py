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
    "unreadable_message": ProblemType(400, "A callback is text in UTF-8, without the NUL character.", (WELL_FORMED,)),
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
    "bad_token": ProblemType(
        400, "The Fencing-Token is not a whole number.", ("Send the run's `epoch` as Fencing-Token.",)
    ),
    "bad_version": ProblemType(
        400, "If-Match does not hold an ETag.", ('Send the run\'s ETag with its quotes, such as "12".',)
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
        "A callback is not signed by a secret of the operation's contracts, or not within five minutes; which of it is wrong is not said.",
        ("Sign id, time and body as Standard Webhooks do, with the secret that was agreed.",),
    ),
    "forbidden": ProblemType(403, "This is not yours to do.", (NOT_AGAIN,)),
    "wrong_kind_of_key": ProblemType(
        403,
        "The door is for agents' keys and this is a member's, or the reverse; `whose` says for which.",
        ("Use a key of that kind. Approvals and tasks of people are done on pages.",),
    ),
    "missing_scope": ProblemType(403, "The key lacks the scope that `scope` names.", ("Use a key with that scope.",)),
    "not_an_agent": ProblemType(403, "Runs belong to agents.", ("Use an agent's key.",)),
    "separation_of_duties": ProblemType(
        403,
        "Whoever asks, or answers for the agent that asks, does not decide. An agent decides nothing.",
        ("Wait for a person: poll the approval.",),
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
    "run_ended": ProblemType(409, "The run has ended or is ending and takes nothing more.", (LOOK,)),
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
        "What this would replace is not over, or may have happened, and its contract does not let another take its place.",
        ("Withdraw it, or wait for its end.",),
    ),
    "already_replaced": ProblemType(
        409,
        "Another effect takes the place of this one already, and is not over in vain.",
        ("Follow that effect; propose another only when nothing came of it.",),
    ),
    "already_resolved": ProblemType(409, "The request was decided; `verdict`, `by` and `at` say how."),
    "already_counted": ProblemType(409, "This person's word is counted already; nobody is counted twice."),
    "expired": ProblemType(
        409,
        "The time to decide has run out; it was not done.",
        ("Propose it again under a new key, if it is still wanted.",),
    ),
    "withdrawn": ProblemType(409, "The request was withdrawn before it was decided."),
    "policy_changed": ProblemType(
        409, "The policy changed after this was asked; the request is judged again.", ("Wait for the new request.",)
    ),
    "key_expired": ProblemType(
        410, "The key was used longer ago than its records are kept, or for what is erased.", (NEW_KEY,)
    ),
    "stale_version": ProblemType(412, "The run has changed since you read it; `version` is the current one.", (LOOK,)),
    "stale_view": ProblemType(412, "What was shown is not what would be done now.", ("Look again before you decide.",)),
    # What does not fit.
    "too_large": ProblemType(
        413,
        "A body may have at most 1,048,576 bytes, and one with evidence files 15,728,640.",
        ("Store what is large elsewhere and send a reference.",),
    ),
    "message_too_large": ProblemType(
        413, "A callback may have at most 65,536 bytes.", ("Say what happened, and leave what is large to a question.",)
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
    "too_many": ProblemType(422, "At most 500 effects are accepted at once.", ("Send them in several requests.",)),
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
    "too_long": ProblemType(422, "A reason, a reference and evidence have at most 4,000 characters each."),
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
        "A finding carries the version that it was made by.",
        ("Send the ETag of the effect's exits, or of its run, as If-Match.",),
    ),
    "not_an_operator": ProblemType(
        403,
        "Operators and the members of the group that looks after it (`group`) act on what is not confirmed.",
    ),
    "not_yours_to_release": ProblemType(403, "Its owner lets it go, or an operator takes it from them."),
    "second_person": ProblemType(
        403,
        "Another member than the one who found it confirms or declines a finding.",
        ("Withdraw your own finding if it does not hold.",),
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
    "bad_terms": ProblemType(422, "A key lasts from 1 to 366 days and has one or both scopes of its kind."),
    "not_its_scope": ProblemType(422, "An agent's key has no scope of a member's, and the reverse; `scope` names it."),
    "bad_key_name": ProblemType(422, "A member's key has a name of 1 to 63 characters."),
    "not_a_member": ProblemType(403, "A key of one's own is made by an active member."),
    "no_owner": ProblemType(422, "An agent needs an owner: an active member of the tenant, who answers for it."),
    "unknown_role": ProblemType(422, "A role is one of approver, operator, admin and auditor."),
    # Where notices go; refused on pages.
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
        "The record of this run does not hold, and erasing would hide how.",
        ("`manage.py verify` names what was altered.",),
    ),
    # What passes.
    "fault": ProblemType(
        500, "Something failed on our side and is logged. What was asked is done wholly or not at all.", (AGAIN,)
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
