-- By which rules of time zones the next fire times were found. No index: one row. No locks.
select z.version from time_zone_rules z
