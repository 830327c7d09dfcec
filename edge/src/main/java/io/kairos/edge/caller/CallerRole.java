package io.kairos.edge.caller;

/** A permission of API callers. Each method names the role it needs; an admin may call all. */
public enum CallerRole {
  SUBMIT,
  READ,
  WORKER,
  ADMIN
}
