-- The completion secret, which is stored unless there is one. Index: the primary key. Locks the row; one row.
insert into push_secret (secret) values (:secret)
on conflict (one_row) do update set secret = push_secret.secret
returning secret
