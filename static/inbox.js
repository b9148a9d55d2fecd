// The inbox stays as it is while somebody points into it or works in it: nothing moves and nothing goes; what was decided meanwhile turns grey
// where it stands, with who and when, and what is new is counted and waits to be shown. Without this the list is simply read again.

const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const ROW = "[data-row][id]";

document.addEventListener("counterfoil:news", (event) => {
    const list = event.target;
    const answer = new DOMParser().parseFromString(event.detail, "text/html");
    const fresh = new Map(all(ROW, answer.getElementById(list.id)).map((row) => [row.id, row]));
    for (const row of all(ROW, list)) settle(row, fresh.get(row.id));
    const news = [...fresh.values()].filter((row) => row.dataset.state === "pending" && !document.getElementById(row.id));
    show(list, news.length);
    for (const part of all("[hx-swap-oob]", answer)) {
        part.removeAttribute("hx-swap-oob");
        document.getElementById(part.id)?.replaceWith(part);
    }
});

function settle(row, now) {
    if (row.dataset.state !== "pending" || now?.dataset.state === "pending") return;
    row.dataset.state = now?.dataset.state ?? "gone";
    row.classList.add("decided");
    for (const part of all(":scope > p, :scope > .pick", row)) part.remove();
    if (now) return row.append(...all(":scope > p", now));
    const words = document.createElement("p");
    words.textContent = "No longer waits here";
    row.append(words);
}

function show(list, many) {
    const place = list.querySelector("#news");
    if (!place || Number(place.dataset.many ?? 0) === many) return;
    place.dataset.many = many;
    place.replaceChildren();
    if (!many) return;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = `${many} new – show`;
    button.addEventListener("click", () => window.htmx.trigger(list, "refresh"));
    place.append(button);
}

// --- What is selected outlives a refresh

let picked = new Set();

const picks = () => all("input[form=together]");

function count() {
    const bar = document.getElementById("together");
    if (!bar) return;
    const many = picks().filter((pick) => pick.checked).length;
    const words = many ? `${many} selected` : "Select requests to decide them together.";
    const said = document.getElementById("picked");
    if (said.textContent !== words) said.textContent = words;
    bar.querySelector("button").disabled = !many;
}

document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target.matches("[data-merges]")) picked = new Set(picks().filter((pick) => pick.checked).map((pick) => pick.value));
});
document.addEventListener("htmx:afterSwap", () => {
    for (const pick of picks()) pick.checked ||= picked.has(pick.value);
    count();
});
document.addEventListener("change", (event) => event.target.matches("input[form=together]") && count());
window.addEventListener("pageshow", count);
count();
