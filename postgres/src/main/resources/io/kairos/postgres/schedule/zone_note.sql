-- Notes by which rules of time zones the next fire times were found. No index: one row, which is locked.
update time_zone_rules set version = :version::text
