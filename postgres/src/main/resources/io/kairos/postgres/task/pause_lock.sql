-- Keeps claims and enqueueing from beginning while a pause is being set, and waits for those under way: their locks of
-- pauses need the table. Readers and dumps go on. Held until the end of the transaction, which is short.
lock table task_pause in exclusive mode
