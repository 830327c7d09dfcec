package io.kairos.edge.access;

/** A permission of API callers. Each method names the role it needs; an admin may call all. */
public enum CallerRole {
  SUBMIT,
  READ,
  WORKER,
  ADMIN
}
