-- Stores the completion secret unless there is one. Index: the primary key. One row or none.
insert into push_secret (secret) values (:secret) on conflict (one_row) do nothing
