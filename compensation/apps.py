from django.apps import AppConfig


class CompensationConfig(AppConfig):
    name = "compensation"

    def ready(self) -> None:
        """Give the clock the steps of this room, the erasing of runs what it keeps of them, and approvals who had something asked."""
        from approvals.ask import ASKERS  # noqa: PLC0415 - models are not ready before
        from compensation import sweep  # noqa: PLC0415
        from compensation.erasing import OF_RUNS  # noqa: PLC0415
        from compensation.working.askers import askers  # noqa: PLC0415
        from runs.erasing import ABOVE  # noqa: PLC0415
        from runs.sweep import FULL, MORE  # noqa: PLC0415

        MORE.update(sweep.STEPS)
        FULL.update(sweep.FULL)
        ABOVE[:] = [OF_RUNS]
        ASKERS[:] = [askers]
