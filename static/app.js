// Comfort on top of pages that work without it: times that run, parts that refresh politely, and a decision form that says where it stands.
// Beside it: inbox.js (a list that is worked through stays as it is), keys.js.

const root = document.documentElement;
const skew = root.dataset.now ? Date.parse(root.dataset.now) - Date.now() : 0; // the database's clock decides, not this machine's
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const first = (selector, within = document) => within.querySelector(selector);

// --- Times: the same words as console/pages/templatetags/times.py

const MINUTE = 60, HOUR = 3600, DAY = 86400;

function span(seconds) {
    const whole = Math.max(0, Math.floor(seconds));
    if (whole < MINUTE) return `${whole} s`;
    if (whole < HOUR) return `${Math.floor(whole / MINUTE)} min`;
    if (whole < DAY) {
        const hours = Math.floor(whole / HOUR), rest = Math.floor((whole % HOUR) / MINUTE);
        return rest && hours < 3 ? `${hours} h ${rest} min` : `${hours} h`;
    }
    const days = Math.floor(whole / DAY);
    return days === 1 ? "1 day" : `${days} days`;
}

const WORDS = {
    ago: (since) => (Math.abs(since) < 5 ? "just now" : since < 0 ? `in ${span(-since)}` : `${span(since)} ago`),
    age: (since) => span(since),
    due: (since) => WORDS.left(since),
    left: (since) => (since >= 0 ? "expired" : -since < MINUTE ? "<1 min left" : `${span(-since)} left`),
};

function tick() {
    if (document.hidden) return;
    const now = Date.now() + skew;
    for (const time of all("time[data-style]")) {
        const since = (now - Date.parse(time.dateTime)) / 1000;
        if (Math.abs(since) > 60 * DAY) continue; // those are dates, and stand still
        const words = WORDS[time.dataset.style]?.(since);
        if (words && words !== time.textContent) time.textContent = words;
        if (time.dataset.style === "left") time.classList.toggle("soon", since < 0 && since > -(time.dataset.near ?? HOUR));
    }
    for (const form of all("form[data-until]:not([data-expired])")) {
        if (Date.parse(form.dataset.until) <= now) close(form, "This expired while the page was open. It will not be done.");
    }
}

function close(form, words) {
    form.dataset.expired = "";
    for (const button of all("button", form)) button.disabled = true;
    const notice = document.createElement("p");
    notice.className = "receipt wait";
    notice.setAttribute("role", "status");
    notice.textContent = words;
    const ticket = form.closest(".ticket");
    (ticket ? first(".sheet", ticket) : form)?.prepend(notice);
}

setInterval(tick, 1000);

// --- Parts that refresh: never while hidden, never under the pointer, the focus or a selection, and they say so

const live = first("#live");
let cutSince = null;

function say(tone, words) {
    if (!live || (live.dataset.tone === tone && live.textContent === words)) return;
    live.hidden = !words;
    live.dataset.tone = tone;
    live.textContent = words;
}

function held(part) {
    if (part.contains(document.activeElement) && document.activeElement !== document.body) return "Updates wait while you are in the list";
    if (!document.getSelection().isCollapsed && part.contains(document.getSelection().anchorNode)) return "Updates wait while text is selected";
    if (matchMedia("(hover: hover)").matches && first(":is(a, button, summary, input, textarea, select, .row, .slip, tr[data-row]):hover", part)) {
        return "Updates wait while you point here";
    }
    return "";
}

// What every page watches beside its own parts ([data-watch]: the banner of what is paused) waits in silence, and sends nobody to sign in.
document.addEventListener("htmx:beforeRequest", (event) => {
    const part = event.detail.elt;
    if (part.matches("[data-watch]") && (document.hidden || held(part))) event.preventDefault();
    if (!part.matches("[data-live]")) return;
    const asked = event.detail.requestConfig.triggeringEvent?.type === "refresh";
    const why = asked || part.matches("[data-merges]") ? "" : held(part);
    if (document.hidden || why) event.preventDefault();
    if (why) say("paused", why);
});

document.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr, target } = event.detail;
    const kept = all("details[id]", target).map((one) => [one.id, one.open]);
    if (/^\s*<!doctype/i.test(xhr.responseText)) {
        event.detail.shouldSwap = false;
        if (target.matches("[data-watch]")) return;
        if (new URL(xhr.responseURL).pathname.startsWith(root.dataset.login)) signIn();
        else refuse(target);
        return;
    }
    const why = target.matches("[data-merges]") && event.detail.requestConfig.triggeringEvent?.type !== "refresh" ? held(target) : "";
    if (why) {
        event.detail.shouldSwap = false;
        target.dispatchEvent(new CustomEvent("counterfoil:news", { bubbles: true, detail: xhr.responseText }));
        say("paused", why);
        return;
    }
    const { id: name, scrollTop } = target;
    document.addEventListener("htmx:afterSwap", () => {
        if (scrollTop) document.getElementById(name).scrollTop = scrollTop;
        for (const [id, open] of kept) {
            const details = document.getElementById(id);
            if (details) details.open = open;
        }
    }, { once: true });
});

document.addEventListener("htmx:afterSwap", (event) => {
    if (!event.detail.target.matches("[data-watch]")) return;
    const told = first("#announced"), banner = document.getElementById(event.detail.target.id);
    if (told) told.textContent = banner?.innerText.trim() || "Nothing is paused any more.";
});

document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.successful && event.detail.elt.matches("[data-watch]") && live?.dataset.tone === "cut") {
        cutSince = null;
        say("on", first("[data-live]") ? "Live" : "");
    }
    if (!event.detail.successful || !event.detail.elt.matches("[data-live]")) return;
    cutSince = null;
    if (live?.dataset.tone !== "paused" || !event.detail.elt.matches("[data-merges]")) say("on", first("[data-live]") ? "Live" : "");
});

for (const name of ["htmx:sendError", "htmx:responseError", "htmx:timeout"]) {
    document.addEventListener(name, (event) => {
        if (event.detail.xhr?.status === 401) return event.detail.elt.matches("[data-watch]") || signIn();
        cutSince ??= new Date().toISOString().slice(11, 16);
        say("cut", `Cut off since ${cutSince} UTC. What you see may be old.`);
        const form = event.detail.elt.closest?.("form:is([data-decide], [data-deed])");
        if (form) refuse(form.closest(".ticket"));
    });
}

function signIn() {
    location.assign(`${root.dataset.login}?next=${encodeURIComponent(location.pathname + location.search)}`);
}

function refuse(ticket) {
    const notice = document.createElement("p");
    notice.className = "receipt wait";
    notice.setAttribute("role", "alert");
    notice.append("No answer that can be shown here came back. It is not known whether this was recorded: ");
    const link = document.createElement("a");
    link.href = location.href;
    link.textContent = "look at it as it is now";
    notice.append(link, ". Sending it again does no harm.");
    (first(".sheet", ticket) ?? ticket).prepend(notice);
}

document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    tick();
    for (const part of all("[data-live], [data-watch]")) if (!held(part)) window.htmx?.trigger(part, "refresh");
});

window.addEventListener("pageshow", (event) => event.persisted && location.reload());
document.addEventListener("DOMContentLoaded", () => window.htmx && first("[data-live]") && say("on", "Live"));

document.addEventListener("htmx:afterSwap", () => {
    const then = first("#card-then"), form = first("form[data-decide]:not([data-expired])");
    if (then && form && then.dataset.state !== "pending") close(form, "This was settled while the page was open, so there is nothing left to decide.");
});

document.addEventListener("htmx:afterSwap", () => {
    const form = first("form[data-finding]:not([data-expired])");
    if (form && first("#facts")?.dataset.settled === "yes") close(form, "This was settled while the page was open. What you wrote stands here until you leave.");
});

// --- A digest to take along

const copies = () => { for (const button of all("[data-copy][hidden]")) button.hidden = !navigator.clipboard; };
copies();
document.addEventListener("htmx:afterSwap", copies);
document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("[data-copy]");
    if (!button) return;
    await navigator.clipboard.writeText(button.dataset.copy);
    button.firstChild.textContent = "Copied";
});

// --- A decision: a reason where one is needed, one press, the receipt's words

document.addEventListener("click", (event) => {
    const deny = event.target.closest?.("form[data-decide] .no");
    if (!deny) return;
    const reason = deny.form.elements.reason;
    if (reason.value.trim()) return;
    event.preventDefault();
    reason.setCustomValidity("Say why. The agent is told.");
    reason.reportValidity();
    reason.addEventListener("input", () => reason.setCustomValidity(""), { once: true });
});

document.addEventListener("htmx:beforeRequest", (event) => {
    const form = event.detail.elt.closest("form:is([data-decide], [data-deed])");
    if (!form) return;
    const pressed = event.detail.requestConfig.triggeringEvent?.submitter;
    const words = pressed?.innerHTML;
    form.closest(".ticket").setAttribute("aria-busy", "true");
    if (pressed) pressed.textContent = "Recording…";
    document.addEventListener("htmx:afterRequest", () => {
        if (!form.isConnected) return;
        form.closest(".ticket").removeAttribute("aria-busy");
        if (pressed) pressed.innerHTML = words;
    }, { once: true });
});

// The receipt is read out; the focus goes on to what is next, else to the receipt.
document.addEventListener("htmx:afterSettle", () => {
    const receipt = first("[data-receipt]:not([data-said])");
    if (!receipt) return;
    receipt.dataset.said = "";
    const announced = first("#announced");
    if (announced) announced.textContent = receipt.innerText;
    (first("[data-next]", receipt) ?? receipt).focus();
});
document.addEventListener("focusin", (event) => event.target.matches?.("[data-receipt]") && (event.target.dataset.said = ""));

const current = first(".queue [aria-current=true]")?.closest("[data-row]");
if (current) current.closest(".queue").scrollTop = current.offsetTop - current.closest(".queue").clientHeight / 2;

// --- A target that is to be typed: what is pasted or dropped is not taken

for (const field of all("input[data-typed]")) {
    for (const way of ["paste", "drop"]) {
        field.addEventListener(way, (event) => {
            event.preventDefault();
            first("[data-typed-said]", field.closest(".field")).hidden = false;
        });
    }
}
