from django.apps import AppConfig


class ConsoleConfig(AppConfig):
    """Commands and checks of the whole."""

    name = "console"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from console import checks, service_checks  # noqa: F401, PLC0415 - they register themselves
