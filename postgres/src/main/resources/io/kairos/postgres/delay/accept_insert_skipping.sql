-- Stores a batch; messages whose ids are stored already stay as they are. Otherwise like accept_insert.sql. Index:
-- delayed_message_pkey, and writes all. Waits for a transaction that is storing or deleting the same id; in the order of
-- the ids, sorted by the caller. As many rows as the batch has.
{batch_stored}
on conflict (route_id, id) do nothing
