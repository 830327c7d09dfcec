package io.kairos.server.observe;

import io.kairos.engine.loop.Step;
import io.kairos.engine.replica.OrderedRequest;
import io.kairos.engine.replica.StateMachine;
import io.kairos.engine.time.MonotonicClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Detects rounds of steps that hang, because they take longer than any wait that they may contain.
 * A process with such a round is not healthy and should be restarted. Costs two volatile writes per
 * round.
 */
public final class RoundWatch {
  private static final long IDLE = Long.MIN_VALUE;

  private final Duration longest;
  private final MonotonicClock monotonic;
  private final Map<String, Turn> turns = new ConcurrentHashMap<>();

  /**
   * Starts without rounds to watch.
   *
   * @param longest a round that takes longer counts as hanging
   */
  public RoundWatch(Duration longest, MonotonicClock monotonic) {
    this.longest = longest;
    this.monotonic = monotonic;
  }

  /** Wraps a step; its rounds are watched. */
  public Step watch(Step step) {
    Turn turn = turn(step.name() + " loop");
    return Step.of(step.name(), () -> turn.take(step::runOnce));
  }

  /** Wraps a state machine; each of its calls is watched as a round. */
  public StateMachine watch(StateMachine machine) {
    Turn turn = turn("log");
    return new StateMachine() {
      @Override
      public byte[] execute(OrderedRequest request) {
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

  /** One sentence for each step or machine with a round that hangs. */
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
