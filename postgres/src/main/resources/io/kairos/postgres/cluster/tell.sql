-- Keeps what a node tells of its last minute, in place of what it told before. Index: node_details_pkey. Locks its row; one row.
insert into node_details as d (
  node_id, period, handlers, begun, ended, failed, pools, endpoints, in_flight, ejecting, ejections, answers)
values (
  :node::uuid, :period::bigint, :handlers::text[], :begun::bigint[], :ended::bigint[], :failed::bigint[], :pools::text[],
  :endpoints::text[], :in_flight::bigint[], :ejecting::integer[], :ejections::bigint[], :answers::bytea[])
on conflict (node_id) do update set
  period = excluded.period,
  handlers = excluded.handlers,
  begun = excluded.begun,
  ended = excluded.ended,
  failed = excluded.failed,
  pools = excluded.pools,
  endpoints = excluded.endpoints,
  in_flight = excluded.in_flight,
  ejecting = excluded.ejecting,
  ejections = excluded.ejections,
  answers = excluded.answers
