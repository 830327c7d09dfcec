package io.kairos.server.architecture.specimen.ring.left;

import io.kairos.server.architecture.specimen.ring.right.Right;

/** Must break, with its counterpart: no cycles between packages. */
public final class Left {
  Class<?> other() {
    return Right.class;
  }
}
