package io.kairos.server.observe;

import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import io.kairos.engine.replica.Ordered;
import io.kairos.engine.replica.StateMachine;
import io.kairos.engine.time.Monotonic;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Watches that rounds end. A round that has been under way for longer than all that it may wait for
 * hangs. Then the process is not healthy and should be started anew. Costs two volatile writes per
 * round.
 */
public final class Turns {
  private static final long IDLE = Long.MIN_VALUE;

  private final Duration longest;
  private final Monotonic monotonic;
  private final Map<String, Turn> turns = new ConcurrentHashMap<>();

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
    Turn turn = turn(step.name() + " loop");
    return new Step() {
      @Override
      public String name() {
        return step.name();
      }

      @Override
      public Next runOnce() {
        return turn.take(step::runOnce);
      }
    };
  }

  /** The same machine, watched: each of its calls is a round. */
  public StateMachine watch(StateMachine machine) {
    Turn turn = turn("log");
    return new StateMachine() {
      @Override
      public byte[] execute(Ordered request) {
        return turn.take(() -> machine.execute(request));
      }

      @Override
      public byte[] snapshot() {
        return turn.take(machine::snapshot);
      }

      @Override
      public void restore(byte[] snapshot) {
        turn.take(() -> {
          machine.restore(snapshot);
          return snapshot;
        });
      }

      @Override
      public byte[] digest() {
        return turn.take(machine::digest);
      }
    };
  }

  private Turn turn(String name) {
    Turn turn = new Turn();
    turns.put(name, turn);
    return turn;
  }

  /** What is wrong with those whose round does not end, a sentence each. */
  public List<String> ailments() {
    long nowNanos = monotonic.nanos();
    String tooLong = " has been in one round for more than %d s".formatted(longest.toSeconds());
    return turns.entrySet().stream()
        .filter(each -> each.getValue().hangs(nowNanos))
        .map(each -> "the " + each.getKey() + tooLong)
        .sorted()
        .toList();
  }

  private final class Turn {
    private volatile long begunNanos = IDLE;

    boolean hangs(long nowNanos) {
      long begun = begunNanos;
      return begun != IDLE && nowNanos - begun > longest.toNanos();
    }

    <T> T take(Supplier<T> round) {
      begunNanos = monotonic.nanos();
      try {
        return round.get();
      } finally {
        begunNanos = IDLE;
      }
    }
  }
}
