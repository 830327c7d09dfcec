-- Deletes a batch by id. Index: the primary key, one probe per id. As many rows as the batch has.
delete from raw_loop r using unnest(?::text[]) m (id) where r.route_id = 1 and r.id = m.id
