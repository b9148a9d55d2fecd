/* Draws openapi.json. The key that a reader enters stays in this page: it is not stored and goes nowhere but to this server. */
const place = document.getElementById("docs");
const dark = matchMedia("(prefers-color-scheme: dark)");
const dress = () => document.documentElement.classList.toggle("dark-mode", dark.matches);

dress();
dark.addEventListener("change", dress);
SwaggerUIBundle({
    url: place.dataset.document,
    domNode: place,
    validatorUrl: null,
    queryConfigEnabled: false,
    deepLinking: true,
    docExpansion: "list",
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    persistAuthorization: false,
});
