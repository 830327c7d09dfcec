-- Up to which of its successors, in the order of their ids, the end of a task has been told; null for none. A node that does not
-- know the column tells those of the beginning first, and looks at all of them before it deletes the row.
alter table task_ended add column followed_to uuid;
