-- When workers last asked for tasks of a handler, on any node, to some seconds: shows handlers that nobody works for.
create table handler_asked (
  handler text collate "C" primary key,
  asked_at bigint not null
) with (fillfactor = 50);
