-- Has batches that are being removed not reopen, so that none goes on without some of its tasks. Index: task_batch_pkey. The rows are
-- locked already; at most as many as ids.
update task_batch b set pruning = true from unnest(:ids::uuid[]) n (id) where b.id = any (array[n.id]) and not b.pruning
