-- A batch with its counts. Index: task_batch_pkey, task_batch_end_batch. No locks; one row or none, but adds up all ends that were
-- noted since batch/count.sql ran.
select
  {batch}
from (select * from task_batch f where f.id = :id::uuid offset 0) b
{noted}
