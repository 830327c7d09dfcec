-- Each edge is closed by one update, and neighbours are by one transaction: the edges of a fan-out, and those of a join. With half of
-- each page free all of these updates stay on their page, and write no index. Pages that exist stay as full as they are.
alter table task_edge set (fillfactor = 50);
