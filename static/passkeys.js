// Passkeys: a form with data-passkey is filled by the browser's own dialogue, and then sent.

const form = document.querySelector("form[data-passkey]");
const said = form?.querySelector("[data-passkey-said]");

function say(words) {
    said.textContent = words;
    said.hidden = !words;
}

form?.addEventListener("submit", async (event) => {
    if (form.elements.credential.value) return; // it is there: let the form go
    event.preventDefault();
    const passkeys = window.webauthnJSON;
    if (!passkeys?.supported()) return say("This browser knows no passkeys here. They need https, or localhost.");
    say("");
    try {
        const options = JSON.parse(form.dataset.options);
        const credential = await (form.dataset.passkey === "create" ? passkeys.create(options) : passkeys.get(options));
        form.elements.credential.value = JSON.stringify(credential);
        form.submit();
    } catch (fault) {
        say(fault.name === "NotAllowedError" ? "It was not confirmed; nothing was sent. Try again." : `It did not work: ${fault.message}`);
    }
});
