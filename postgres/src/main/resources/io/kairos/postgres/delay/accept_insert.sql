-- Stores a batch none of whose ids is stored; otherwise fails with a unique violation (23505). This statement is tried
-- first, because looking for conflicts costs a second descent and a confirmation per row: a quarter of the statement. A
-- message with a stamp is claimed by :holder at once, one without waits. Arrays that would hold only nulls may be empty:
-- unnest fills up with nulls. Index: writes all. Waits for a transaction that is storing or deleting the same id; in the
-- order of the ids, sorted by the caller. As many rows as the batch has.
{batch_stored}
