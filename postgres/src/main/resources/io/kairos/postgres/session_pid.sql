-- The server process of this session. Without a pooler between, all transactions of a connection have the same. One row.
select pg_backend_pid()
