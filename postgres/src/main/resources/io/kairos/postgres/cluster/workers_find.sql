-- Of the workers with this id the one that was heard of last. Index: worker_seen_pkey, or all of the table, which is small; and
-- task_held, of which all is read. No locks; at most one row.
select {shown_worker}
where w.worker = :worker::text
order by w.seen_at desc
limit 1
