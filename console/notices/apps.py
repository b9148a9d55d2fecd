from django.apps import AppConfig


class NoticesConfig(AppConfig):
    name = "console.notices"
    label = "notices"

    def ready(self) -> None:
        from console.notices import factors  # noqa: PLC0415 - models are there by now

        factors.listen()
