from django.apps import AppConfig


class HttpConfig(AppConfig):
    name = "console.http"
    label = "http"
