-- True when a name is used that is limited or has been. Reads one row. No locks.
select u.name from key_use u limit 1
