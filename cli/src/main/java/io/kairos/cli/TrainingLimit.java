package io.kairos.cli;

import java.time.Duration;

/**
 * Ends a run that trains an archive of classes when it takes too long, so that installing ends and
 * no archive of half of the classes is written.
 */
public final class TrainingLimit {
  private static final int FAILED = 1;

  private TrainingLimit() {}

  /** Halts this process with code 1 after a time, on a thread of its own. */
  public static void haltAfter(Duration limit) {
    Thread.ofPlatform()
        .name("kairos-training-limit")
        .daemon()
        .start(() -> {
          try {
            Thread.sleep(limit);
          } catch (InterruptedException e) {
            return;
          }
          System.err.println("gave up after " + limit.toSeconds() + " s");
          Runtime.getRuntime().halt(FAILED);
        });
  }
}
