-- Batches of a handler (null for all), newest first, with their counts. Index: task_batch_pkey or task_batch_handler, in its order,
-- named by a comparison of rows, which no other index fits; task_batch_end_batch. No locks; at most :max_batches rows.
select
  {batch}
from (
  (select a.* from task_batch a
  where :handler::text is null and a.id < :before::uuid
  order by a.id desc
  limit :max_batches::integer)
  union all
  (select h.* from task_batch h
  where h.handler <> ''
    and (h.handler, h.id) < (:handler::text, :before::uuid)
    and (h.handler, h.id) >= (:handler::text, '00000000-0000-0000-0000-000000000000'::uuid)
  order by h.handler desc, h.id desc
  limit :max_batches::integer)) b
{noted}
order by b.id desc
