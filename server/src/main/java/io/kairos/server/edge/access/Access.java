package io.kairos.server.edge.access;

import io.kairos.server.config.Role;

/** What a method asks of its callers. */
sealed interface Access {
  /** Nothing: like {@code /healthz}. */
  record Open() implements Access {}

  /** A token of anybody. */
  record AnyCaller() implements Access {}

  /** A token of somebody who has this role, or is an admin. */
  record Needs(Role role) implements Access {}
}
