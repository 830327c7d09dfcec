package io.kairos.server.architecture.specimen.ring.right;

import io.kairos.server.architecture.specimen.ring.left.Left;

/** Must break, with its counterpart: no cycles between packages. */
public final class Right {
  Class<?> other() {
    return Left.class;
  }
}
