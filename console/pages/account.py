"""Signing in and out, by django-allauth; of its addresses only these are ours."""

from allauth.account import views
from django.urls import URLPattern, path

urls: list[URLPattern] = [
    path("login/", views.login, name="account_login"),
    path("logout/", views.logout, name="account_logout"),
    path("password/", views.password_change, name="account_change_password"),
    path("inactive/", views.account_inactive, name="account_inactive"),
]
