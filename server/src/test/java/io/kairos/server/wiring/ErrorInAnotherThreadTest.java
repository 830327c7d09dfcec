package io.kairos.server.wiring;

import java.util.List;

/** The other half of the steps. */
class ErrorInAnotherThreadTest extends ErrorInALoop {
  static List<String> mine() {
    return every(false);
  }
}
