-- Marks messages that the running transaction has inserted as maybe fired; run only after a direct publish of unknown
-- outcome. Index: delayed_message_pkey. Locks nothing that is not locked already; at most as many rows as ids.
update delayed_message
set maybe_fired = true
where route_id = :route::integer
  and id = any (:ids::text[])
  and xmin = pg_current_xact_id()::xid
