-- No longer has a task looked at, unless some of its successors have not been told: behind an open edge that its end satisfies
-- (:satisfied), or awaiting behind one by which they fail or are cancelled (:on_failures). Index: task_ended_pkey,
-- task_edge_pkey, task_pkey. The row is locked already; one or none.
delete from task_ended e
where e.task_id = :id::uuid
  and not exists (
    select from task_edge x
    where x.predecessor = :id::uuid and x.open and x.on_failure::text = any (:satisfied::text[]))
  and not exists (
    select 1
    from task_edge x
    cross join lateral (select 1 from task w where w.id = x.successor and w.state::text = 'A' offset 0) t
    where x.predecessor = :id::uuid and x.open and x.on_failure::text = any (:on_failures::text[]))
