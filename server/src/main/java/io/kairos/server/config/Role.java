package io.kairos.server.config;

/** What a caller of the API may do. Each method names the one it needs; an admin may call all. */
public enum Role {
  SUBMIT,
  READ,
  WORKER,
  ADMIN
}
