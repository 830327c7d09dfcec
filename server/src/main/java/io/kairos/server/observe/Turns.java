package io.kairos.server.observe;

import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import io.kairos.engine.time.Monotonic;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Watches that rounds end. A round that has been under way for longer than all that it may wait for
 * hangs. Then the process is not healthy and should be started anew. Costs two volatile writes per
 * round.
 */
public final class Turns {
  private static final long IDLE = Long.MIN_VALUE;

  private final Duration longest;
  private final Monotonic monotonic;
  private final Map<String, Watched> steps = new ConcurrentHashMap<>();

  /**
   * Watches nothing yet.
   *
   * @param longest a round that takes longer hangs
   */
  public Turns(Duration longest, Monotonic monotonic) {
    this.longest = longest;
    this.monotonic = monotonic;
  }

  /** The same step, watched. */
  public Step watch(Step step) {
    Watched watched = new Watched(step);
    steps.put(step.name(), watched);
    return watched;
  }

  /** What is wrong with the steps whose round does not end, a sentence each. */
  public List<String> ailments() {
    long nowNanos = monotonic.nanos();
    String tooLong =
        " loop has been in one round for more than %d s".formatted(longest.toSeconds());
    return steps.values().stream()
        .filter(step -> step.hangs(nowNanos))
        .map(Watched::name)
        .sorted()
        .map(name -> "the " + name + tooLong)
        .toList();
  }

  private final class Watched implements Step {
    private final Step step;
    private volatile long begunNanos = IDLE;

    Watched(Step step) {
      this.step = step;
    }

    boolean hangs(long nowNanos) {
      long begun = begunNanos;
      return begun != IDLE && nowNanos - begun > longest.toNanos();
    }

    @Override
    public String name() {
      return step.name();
    }

    @Override
    public Next runOnce() {
      begunNanos = monotonic.nanos();
      try {
        return step.runOnce();
      } finally {
        begunNanos = IDLE;
      }
    }
  }
}
