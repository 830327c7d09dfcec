-- Keeps claims and store consumers from beginning while a gate is being closed, and waits for those under way: their locks
-- of gates need the table. Readers and dumps go on. Held until the end of the transaction, which is short.
lock table task_gate in exclusive mode
