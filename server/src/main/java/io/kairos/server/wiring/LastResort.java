package io.kairos.server.wiring;

import java.time.Duration;

/** Sees to it that a process which has to end does, even when its orderly end hangs. */
final class LastResort {
  /** A little less than what supervisors are told to expect. */
  static final Duration ORDERLY_END = Duration.ofMillis(9_500);

  private LastResort() {}

  static void haltLater(int code) {
    Thread.ofPlatform()
        .name("kairos-last-resort")
        .daemon()
        .start(() -> {
          new ParkedWakeup().await(ORDERLY_END);
          Runtime.getRuntime().halt(code);
        });
  }
}
