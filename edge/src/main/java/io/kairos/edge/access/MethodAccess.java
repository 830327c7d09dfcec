package io.kairos.edge.access;

/** The access rule of a method. */
sealed interface MethodAccess {
  /** Needs no token, like {@code /healthz}. */
  record Open() implements MethodAccess {}

  /** Needs the token of any caller. */
  record AnyCaller() implements MethodAccess {}

  /** Needs the token of a caller with this role, or of an admin. */
  record Needs(CallerRole role) implements MethodAccess {}
}
