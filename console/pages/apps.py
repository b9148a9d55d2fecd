from django.apps import AppConfig


class PagesConfig(AppConfig):
    name = "console.pages"
    label = "pages"
