-- The batch of a handler with this name, with its counts. Index: task_batch_name, task_batch_end_batch. No locks; one row
-- or none.
select
  {batch}
from (select * from task_batch f where f.handler = :handler::text and f.name = :name::text offset 0) b
{noted}
