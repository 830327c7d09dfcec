-- Keeps other transactions from creating a pool until this one ends, so that their number can be counted. Rare.
select pg_advisory_xact_lock(hashtext('kairos.http_pool'))
