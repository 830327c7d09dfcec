-- A letter that was kept. Index: kept_letter_pkey. No locks; one row or none.
select route_id, reason, record_key, record_value, record_headers from kept_letter where id = :id::uuid
