from django.apps import AppConfig


class IdentityConfig(AppConfig):
    name = "console.identity"
    label = "identity"

    def ready(self) -> None:
        from console.identity import stepping_up  # noqa: PLC0415 - models are there by now

        stepping_up.listen()
