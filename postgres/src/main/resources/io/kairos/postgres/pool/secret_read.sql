-- The completion secret. One row. No locks.
select secret from push_secret
