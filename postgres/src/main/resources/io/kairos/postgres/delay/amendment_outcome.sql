-- How one amendment ended. Index: amendment_pkey. No locks; one row.
select outcome from amendment where number = :number::bigint
