package io.kairos.server.observe;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.clock.AgreedClock;
import io.kairos.domain.page.PageArea;
import io.kairos.engine.cron.CronMachine;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;

/** Gauges over a replica's state, as of the last {@link #see} on the log's thread. */
public final class ReplicaGauges {
  private final MeterFactory meters;
  private volatile State state = new State(0, 0, 0, 0, 0, 0, 0, 0);

  /** The figures at one moment. */
  private record State(
      double agreedSeconds,
      long entries,
      long failures,
      long effects,
      long schedules,
      long bytes,
      long notGreater,
      long illFormed) {}

  /**
   * @param hasTime false when the replicas agree on no time, which then has no gauge
   * @param overruns number of actions over budget
   * @param dropped number of dropped ticks
   */
  public ReplicaGauges(
      MeterRegistry registry, boolean hasTime, LongSupplier overruns, LongSupplier dropped) {
    this.meters = new MeterFactory(registry);
    if (hasTime) {
      meters.gaugeOfSeconds(
          "kairos.cron.agreed.time",
          "Agreed time, in seconds since 1970; 0 before the first",
          () -> state.agreedSeconds);
    }
    add("kairos.cron.entries", "Entries of all tables", State::entries);
    add("kairos.cron.failures.recorded", "Callbacks that threw, in the state", State::failures);
    add("kairos.cron.effects.waiting", "Effects that wait to be requested", State::effects);
    add(
        "kairos.cron.schedules.waiting",
        "Schedules that have fired and are still to be decided by a node",
        State::schedules);
    add(
        "kairos.cron.state.bytes",
        "Bytes of entries, journals and modules; they have a half of replica.max-state-bytes",
        State::bytes);
    count(
        "kairos.cron.clock.not.greater",
        "Readings by which time could not rise",
        () -> state.notGreater);
    count(
        "kairos.cron.clock.ill.formed",
        "Ticks whose reading could not be used",
        () -> state.illFormed);
    count("kairos.cron.actions.over.budget", "Actions that took too long", overruns);
    count("kairos.cron.ticks.dropped", "Ticks that were due while one was pending", dropped);
  }

  /**
   * Registers the gauge of a replica's readiness.
   *
   * @param ready true while requests can be expected to be executed
   */
  public static void watch(MeterRegistry registry, BooleanSupplier ready) {
    new MeterFactory(registry)
        .gauge(
            "kairos.replica.ready",
            "1 while requests can be expected to be executed",
            () -> ready.getAsBoolean() ? 1 : 0);
  }

  private void add(String name, String about, ToDoubleFunction<State> of) {
    meters.gauge(name, about, () -> of.applyAsDouble(state));
  }

  private void count(String name, String about, LongSupplier of) {
    // A registry refers weakly to what it asks, which would be nobody else's if it were the
    // supplier.
    FunctionCounter.builder(name, this, _ -> of.getAsLong())
        .description(about)
        .register(meters.registry());
  }

  /**
   * Updates the figures. Called on the log's thread.
   *
   * @param waitingSchedules number of schedules that are due and not decided yet
   */
  public void see(CronMachine machine, int waitingSchedules) {
    long failures = 0;
    for (ComponentId component : machine.tables().components()) {
      failures += machine.tables().table(component).failureCount();
    }
    AgreedClock.Counters counters = machine.clock().counters();
    state =
        new State(
            machine.clock().now() instanceof AgreedTime.At at ? at.epochMillis() / 1e3 : 0,
            machine.tables().entryCount(),
            failures,
            machine.outbox().count(),
            waitingSchedules,
            machine.pages().bytes(PageArea.USER),
            counters.notGreater(),
            counters.illFormed());
  }
}
