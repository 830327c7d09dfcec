package io.kairos.bench.mixed;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * The faults of a part, in an order that its seed decides: all kinds in a random order, and then
 * again. Not thread-safe.
 */
final class MixedPlan {
  private static final long APART = 1_000_003;
  private static final int TARGETS = 64;

  private final SplittableRandom random;
  private final Deque<Fault> left = new ArrayDeque<>();

  /** A kind of fault, with bounds on its length. */
  enum Fault {
    /** {@code kill -9}, and a new one after the length. */
    NODE_KILL(1_000, 5_000),
    /** SIGTERM, and a new one after the length. */
    NODE_STOP(500, 3_000),
    /** SIGSTOP for less or more than the lapse of 1.5 s and the hold time of 5 s. */
    NODE_PAUSE(800, 8_000),
    BROKER_KILL(2_000, 15_000),
    BROKER_PAUSE(2_000, 15_000),
    POSTGRES_KILL(2_000, 15_000),
    POSTGRES_PAUSE(2_000, 15_000),
    /** For less than a lease: nodes are to follow a clock that stays where it is. */
    CLOCK_AHEAD(1_000, 3_000),
    CLOCK_BEHIND(1_000, 3_000),
    WORKER_KILL(1_000, 5_000),
    /** For less or more than the lease of 4.5 s. */
    WORKER_PAUSE(2_000, 8_000);

    private final int leastMillis;
    private final int mostMillis;

    Fault(int leastMillis, int mostMillis) {
      this.leastMillis = leastMillis;
      this.mostMillis = mostMillis;
    }

    String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /**
   * A fault to come.
   *
   * @param target which of the nodes or workers, modulo their number
   */
  record Step(Fault fault, int target, Duration length) {}

  MixedPlan(long seed, int part) {
    random = new SplittableRandom(seed + part * APART);
  }

  Step next() {
    if (left.isEmpty()) {
      List<Fault> all = new ArrayList<>(List.of(Fault.values()));
      Collections.shuffle(all, random);
      left.addAll(all);
    }
    Fault fault = left.remove();
    return new Step(
        fault,
        random.nextInt(TARGETS),
        Duration.ofMillis(random.nextInt(fault.leastMillis, fault.mostMillis + 1)));
  }
}
