from django.apps import AppConfig


class IdentityConfig(AppConfig):
    name = "console.identity"
    label = "identity"
