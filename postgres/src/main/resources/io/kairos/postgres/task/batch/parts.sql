-- Parts that the statements about batches share. The statement says which index serves it, what it locks and how many rows it has.

-- The store's clock, one moment for the whole statement.
{clock}:
clock as materialized (
  select (extract(epoch from clock_timestamp()) * 1000000)::bigint as micros
)

-- A batch b as PostgresBatches reads it, with {noted}.
{batch}:
b.id, b.handler, b.name, b.created_at, b.created_by, b.total, b.succeeded + n.succeeded, b.failed + n.failed,
b.cancelled + n.cancelled, b.dead + n.dead, b.closed_at, b.ended::text, b.completed_at

-- The ends of batch b that its row does not count yet: one snapshot has each end in one of the two places.
{noted}:
cross join lateral (
  select
    coalesce(sum(e.tasks) filter (where e.state = 'S'), 0)::integer as succeeded,
    coalesce(sum(e.tasks) filter (where e.state = 'F'), 0)::integer as failed,
    coalesce(sum(e.tasks) filter (where e.state = 'C'), 0)::integer as cancelled,
    coalesce(sum(e.tasks) filter (where e.state = 'D'), 0)::integer as dead
  from task_batch_end e
  where e.batch_id = b.id
  offset 0) n
