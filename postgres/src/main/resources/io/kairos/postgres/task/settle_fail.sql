-- As settle_finish.sql, for tasks of which some have not succeeded: notes their latest errors as well. Apart from it because
-- nearly every batch consists of successes. Writes all of task_error, too.
with {clock}, settled as (
  {finished_now}
), {history}, noted as (
  {errors}
), {freed}, counted as (
  {unfinished_less_if_any}
)
select {settled_as}
from settled g
