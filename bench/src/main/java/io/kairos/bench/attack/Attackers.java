package io.kairos.bench.attack;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Many who do the same to a node at the same time, each again and again until the time is over. */
final class Attackers {
  /** One act of an attacker. */
  @FunctionalInterface
  interface Act {
    void once() throws IOException;
  }

  private Attackers() {}

  /**
   * Returns when the time is over. What an attacker meets is not counted: it is not who matters.
   */
  static void together(AttackTarget target, int number, Act act) {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < number; i++) {
        threads.execute(() -> {
          while (!target.isOver()) {
            try {
              act.once();
            } catch (IOException | RuntimeException _) {
              target.pass(Duration.ofMillis(100));
            }
          }
        });
      }
    }
  }
}
