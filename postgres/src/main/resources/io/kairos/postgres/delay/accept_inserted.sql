-- Those of these ids that the running transaction has inserted; run only when the batch held duplicates. Index:
-- delayed_message_pkey. No locks; at most as many rows as ids.
select id
from delayed_message
where route_id = :route::integer
  and id = any (:ids::text[])
  and xmin = pg_current_xact_id()::xid
