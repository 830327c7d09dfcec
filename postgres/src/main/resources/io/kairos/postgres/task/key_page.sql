-- Keys of a handler or (:handler null) of all handlers, after a number. Index: task_key_pkey, in its order. No locks; at
-- most :max_keys rows, but passes over those of other handlers.
select id from task_key
where id > :after::bigint and (:handler::text is null or handler = :handler::text)
order by id
limit :max_keys::integer
