package io.kairos.simulator;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * A simulated cluster: nodes that come and go on one virtual clock, what is asked of them and what
 * goes wrong, all drawn from one seed. What the nodes are for is added by its kind.
 */
abstract class World {
  private final Scenario scenario;
  private final Kernel kernel;
  private final Weather weather;
  private final SimClock trueTime;
  private final Lives lives;
  private Runnable atEnd = () -> {};

  /** The first draws from a seed. */
  World(SplittableRandom random) {
    this.scenario = Scenario.draw(random.split());
    this.kernel = new Kernel(random.split(), this::program);
    this.weather = new Weather(random.split(), scenario);
    this.trueTime = new SimClock(kernel);
    this.lives = new Lives(kernel, scenario.lapseNanos());
  }

  /** When the faults end, and when all does. */
  record Span(long healNanos, long endNanos) {}

  /** Lets it run; the callback comes when all is over. */
  final void start(Runnable whenOver) {
    atEnd = whenOver;
    kernel.start();
  }

  private void program() {
    try {
      for (SimNode<?> node : nodes()) {
        node.startAfter(weather.random().nextLong(2_000_000_000L));
      }
      scheduleWork();
      faults().schedule();
      kernel.runUntil(span().healNanos());
      if (kernel.failure() == null) {
        heal();
        kernel.runUntil(span().endNanos());
      }
      if (kernel.failure() == null) {
        judge();
      }
    } catch (Throwable e) {
      kernel.fail(e);
    } finally {
      nodes().forEach(SimNode::end);
      kernel.killAll();
      atEnd.run();
    }
  }

  private void heal() {
    ledger().note(30, () -> "all faults end");
    faults().end();
    weather.heal();
    healed();
    for (SimNode<?> node : nodes()) {
      node.heal(weather.random().nextLong(-8_000_000, 8_000_000));
    }
  }

  abstract Span span();

  abstract History ledger();

  abstract Faults faults();

  /** For ids of nodes. */
  abstract long nextNodeBits();

  abstract List<? extends SimNode<?>> nodes();

  /** What is asked of the nodes from beginning to end. */
  abstract void scheduleWork();

  /** Faults have ended; nodes are about to be started again. */
  abstract void healed();

  /** Judges the whole history at its end. */
  abstract void judge();

  /** A store call takes effect, judged by the rules. */
  abstract <T> T carryOut(Operation operation, Supplier<T> effect);

  final Kernel kernel() {
    return kernel;
  }

  /** How nodes live, and how fast the world answers. */
  final Scenario scenario() {
    return scenario;
  }

  final Weather weather() {
    return weather;
  }

  /** The store's clock. */
  final SimClock trueTime() {
    return trueTime;
  }

  final Lives lives() {
    return lives;
  }
}
