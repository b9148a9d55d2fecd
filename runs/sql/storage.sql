-- A run's row changes with every entry of its stream: room on its page lets the new version stay there, and no index is touched.
alter table runs_run set (fillfactor = 60);
