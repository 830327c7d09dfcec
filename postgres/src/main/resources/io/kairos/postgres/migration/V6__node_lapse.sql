-- After which silence a node counts as dead: its own setting, by which every node judges it. The default is for nodes of
-- before this migration that enrol while it is already there.
alter table node add column lapse interval not null default interval '1500 milliseconds';
