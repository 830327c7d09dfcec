-- Keeps others from creating a pool until the transaction ends, so that their number can be counted. Rare.
select pg_advisory_xact_lock(hashtext('kairos.http_pool'))
