from django.apps import AppConfig


class NoticesConfig(AppConfig):
    name = "console.notices"
    label = "notices"
