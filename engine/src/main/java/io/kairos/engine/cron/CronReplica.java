package io.kairos.engine.cron;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.cron.CronListener;
import io.kairos.engine.loop.Step;
import io.kairos.engine.replica.PostedStep;
import io.kairos.engine.replica.ReplicatedLog;
import io.kairos.engine.replica.VoteSender;
import io.kairos.engine.time.MonotonicClock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One replica of a replicated cron, put together for a program that runs it: first the state
 * machine, for which the program opens a log, and then everything else that the log needs. See
 * {@code docs/embedding.md}.
 */
public final class CronReplica {
  private static final Duration TABLES_EVERY = Duration.ofMillis(250);

  private final Builder built;
  private final ActionBudget budget;
  private final CronMachine machine;

  /**
   * The clocks and random numbers of this process. The state does not depend on them, except that
   * ticks carry the clock.
   *
   * @param random of this life of the process: never the numbers of an earlier one
   */
  public record Local(MonotonicClock monotonic, InstantSource clock, RandomGenerator random) {
    public Local {
      requireNonNull(monotonic, "monotonic");
      requireNonNull(clock, "clock");
      requireNonNull(random, "random");
    }
  }

  /**
   * A replica on its log.
   *
   * @param ticks the generator, which ticks for the tables of {@link CronApplication#ticks} and for
   *     those that the program starts
   * @param steps to run for as long as the log is open, each by a thread of its own or all by one.
   *     A round of a step takes microseconds and waits for nothing
   */
  public record Driven(TicksGenerator ticks, List<Step> steps) {
    public Driven {
      steps = List.copyOf(steps);
    }
  }

  private CronReplica(Builder built) {
    this.built = built;
    this.budget =
        new ActionBudget(built.actionBudget, built.local.monotonic(), built.entryListener);
    this.machine = new CronMachine(built.config, built.application, budget, built.tickListener);
  }

  /**
   * Begins a replica.
   *
   * @param config equal on all replicas
   */
  public static Builder of(CronMachine.Config config, CronApplication application, Local local) {
    return new Builder(config, application, local);
  }

  /** Collects the optional parts of a replica. For one thread. */
  public static final class Builder {
    private final CronMachine.Config config;
    private final CronApplication application;
    private final Local local;
    private Duration actionBudget = ActionBudget.DEFAULT;
    private CronListener entryListener = CronListener.NONE;
    private TickListener tickListener = TickListener.NONE;
    private @Nullable EffectSink sink;

    private Builder(CronMachine.Config config, CronApplication application, Local local) {
      this.config = config;
      this.application = application;
      this.local = local;
    }

    /** The time that an action may take without being named; 0.1 s unless this is called. */
    public Builder actionBudget(Duration longest) {
      actionBudget = longest;
      return this;
    }

    /** Listeners to the evaluation of entries and to ticks, on the log's thread. */
    public Builder listeners(CronListener entries, TickListener ticks) {
      entryListener = entries;
      tickListener = ticks;
      return this;
    }

    /** Carries out the effects that actions decide; without this call they wait. */
    public Builder effects(EffectSink outside) {
      sink = outside;
      return this;
    }

    /** Makes the machine. */
    public CronReplica build() {
      return new CronReplica(this);
    }
  }

  /** The state machine, to open the log with. */
  public CronMachine machine() {
    return machine;
  }

  /** The time that actions take. */
  public ActionBudget budget() {
    return budget;
  }

  /**
   * Makes everything that the open log needs. Called once.
   *
   * @param log that drives {@link #machine}
   */
  public Driven on(ReplicatedLog log) {
    Local local = built.local;
    TicksGenerator ticks =
        new TicksGenerator(
            log, machine.rounds(), local.monotonic(), built.config.time() ? local.clock() : null);
    TickingTables tables = new TickingTables(ticks);
    List<Step> steps = new ArrayList<>(log.steps());
    steps.add(new TickStep(log, machine, ticks));
    steps.add(VoteSender.step(log));
    steps.add(budget.step());
    EffectSink sink = built.sink;
    if (sink != null) {
      steps.add(
          new EffectSender(log, machine.outbox(), sink, local.monotonic(), local.random()).step());
    }
    steps.add(
        new PostedStep(
            "tables", log, TABLES_EVERY, () -> tables.update(built.application.ticks())));
    return new Driven(ticks, steps);
  }
}
