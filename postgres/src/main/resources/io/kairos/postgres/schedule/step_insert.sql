-- Notes the queues of the steps of a schedule. Index: writes all. The schedule is locked already; as many rows as queues.
insert into schedule_step (schedule_id, position, queue_id)
select :id::uuid, q.nth - 1, q.id from unnest(:queue_ids::integer[]) with ordinality q (id, nth)
