package io.kairos.server.wiring;

import io.kairos.node.ParkedWakeup;
import java.time.Duration;

/** Ends a process even when its orderly end hangs. */
public final class ForcedExit {
  /** Time for an orderly end; a little less than the time that supervisors are told to grant. */
  public static final Duration ORDERLY_END = Duration.ofMillis(9_500);

  private ForcedExit() {}

  public static void haltLater(int code) {
    Thread.ofPlatform()
        .name("kairos-last-resort")
        .daemon()
        .start(() -> {
          new ParkedWakeup().await(ORDERLY_END);
          Runtime.getRuntime().halt(code);
        });
  }
}
