-- Writes the encrypted secret of a key. Index: http_pool_key_pkey. One row, or none when the key is gone.
update http_pool_key set secret = :secret, encrypted_with = :encrypted_with where id = :id
