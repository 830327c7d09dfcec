-- The outcome of an amendment. Index: amendment_pkey. No locks; one row.
select outcome from amendment where number = :number::bigint
