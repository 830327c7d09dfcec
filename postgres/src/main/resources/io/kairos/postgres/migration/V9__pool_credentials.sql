-- The name of the credentials with which a pool's https endpoints are called; null for the system's trust and no certificate.
alter table http_pool add column tls text;
-- The id of the key with which the secret is encrypted; null for a secret that is stored as it is.
alter table http_pool_key add column encrypted_with text;
