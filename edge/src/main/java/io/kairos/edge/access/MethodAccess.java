package io.kairos.edge.access;

import io.kairos.api.v1.Access.Limit;
import io.kairos.edge.caller.CallerRole;
import io.kairos.edge.caller.NamedFields;

/** The access rule of a method. */
sealed interface MethodAccess {
  /** Needs no token, like {@code /healthz}. */
  record Open() implements MethodAccess {}

  /** Needs the token of any caller. */
  record AnyCaller() implements MethodAccess {}

  /**
   * Needs the token of a caller with this role, or of an admin.
   *
   * @param limit how a caller is served who may use some names only
   * @param names what requests name
   */
  record Needs(CallerRole role, Limit limit, NamedFields names) implements MethodAccess {}
}
