// Keys on top of pages that work without them. Single keys can be turned off for a member (WCAG 2.1.4); what is held down counts once,
// and while a dialogue is open they do nothing.

const root = document.documentElement;
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const first = (selector, within = document) => within.querySelector(selector);
const help = first("#help");
const opener = first("#help-open");
const on = root.dataset.keys !== "off";
let going = 0;

function announce(words) {
    const place = first("#announced");
    if (place) place.textContent = words;
}

const rows = () => all("[data-row]").filter((row) => row.offsetParent !== null);
const row = () => document.activeElement?.closest("[data-row]") ?? first("[data-row]:has([aria-current])");

function step(by) {
    const found = rows();
    const here = found.indexOf(row());
    const next = found[here < 0 ? (by > 0 ? 0 : found.length - 1) : Math.min(found.length - 1, Math.max(0, here + by))];
    if (!next) return;
    first(".open", next)?.focus();
    next.scrollIntoView({ block: "nearest" });
}

function open(details) {
    if (!details) return false;
    details.open = true;
    first("textarea, input:not([type=hidden]), select", details)?.focus();
    return true;
}

// The card that is open, unless the focus is on another row: what is decided is what is seen.
function card() {
    const here = document.activeElement?.closest("[data-row]");
    const link = here && first(".open:not([aria-current])", here);
    if (!link) return first("#card form[data-decide]:not([data-expired])");
    link.click();
    return null;
}

function approve() {
    const form = card();
    if (!form) return;
    const button = first(".do", form);
    if (form.dataset.tier !== "high") return button.click();
    const tick = first("input[name=read]", form);
    (tick?.checked ? button : tick)?.focus();
    announce("High tier: say that you have read it, then press Approve. A key alone does not approve this.");
}

function deny() {
    if (card()) first("#card .reason textarea")?.focus();
}

function select() {
    const pick = first(".pick input", row() ?? document.createElement("i"));
    if (!pick) return announce("This one is decided by itself.");
    pick.click();
    announce(pick.checked ? "Selected" : "No longer selected");
}

const KEYS = {
    j: () => step(1),
    k: () => step(-1),
    o: () => row() && first(".open", row())?.click(),
    a: approve,
    d: deny,
    r: deny,
    e: () => card() && open(first("#card details[data-narrow]")),
    x: select,
    g: () => { going = Date.now(); },
    "/": () => {
        const field = first("[data-find]");
        if (field?.closest("details")) field.closest("details").open = true;
        field?.focus();
    },
    "?": () => help?.showModal(),
    Escape: () => document.activeElement?.blur(),
};
const ARROWS = { ArrowDown: () => step(1), ArrowUp: () => step(-1) };

// Ctrl or Cmd with Enter sends the form in which somebody writes.
function send(event) {
    const form = event.target.form;
    if (!form || form.method !== "post") return;
    event.preventDefault();
    (first("button.do", form) ?? first("button[type=submit]", form))?.click();
}

document.addEventListener("keydown", (event) => {
    if (event.repeat || event.altKey || first("dialog[open]")) return;
    if (event.ctrlKey || event.metaKey) return event.key === "Enter" ? send(event) : undefined;
    const typing = event.target.matches?.("input:not([type=checkbox], [type=radio]), textarea, select");
    if (event.key === "Escape" && typing) return KEYS.Escape();
    if (typing || !on) return;
    const place = Date.now() - going < 1500 ? first(`nav a[data-key="${CSS.escape(event.key)}"]`) : null;
    going = 0;
    const inList = document.activeElement?.closest("[data-row]");
    const act = place ? () => place.click() : KEYS[event.key] ?? (inList ? ARROWS[event.key] : null);
    if (!act) return;
    event.preventDefault();
    act();
});

opener?.addEventListener("click", () => help.showModal());
if (opener) opener.hidden = false;
root.classList.toggle("with-keys", on);
