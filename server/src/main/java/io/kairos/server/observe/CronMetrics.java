package io.kairos.server.observe;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.CronListener;
import io.kairos.domain.cron.EntryCallback;
import io.kairos.domain.cron.Tick;
import io.kairos.domain.cron.TickEvaluation;
import io.kairos.domain.cron.clock.ClockLimits;
import io.kairos.domain.cron.clock.ClockLimits.Distance;
import io.kairos.domain.cron.outbox.EffectId;
import io.kairos.domain.cron.round.TickVerdict;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.cron.TickListener;
import io.kairos.server.effect.EffectEvents;
import io.kairos.server.effect.ScheduleCallEvents;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Metrics and logs of a replica of a replicated cron: ticks, actions, effects and calls. Requests
 * that are executed again after a start count again.
 */
public final class CronMetrics
    implements CronListener, TickListener, EffectEvents, ScheduleCallEvents {
  private static final Logger LOG = LoggerFactory.getLogger(CronMetrics.class);

  private final MeterFactory meters;
  private final InstantSource clock;
  private final ClockLimits limits;
  private final MeterFactory.Kinds<TickVerdict> ticks;
  private final Counter fired;
  private final Counter failed;
  private final Counter beyondSoft;
  private final Counter beyondHard;

  /** Clocks by replica, from executed readings; used on the log's thread. */
  private final Map<ReplicaId, Clock> clocks = new TreeMap<>();

  /** False during the replay after a start, when readings are old. */
  private boolean isLive;

  /** Kinds of effects and calls whose last outcome is not known. */
  private final Set<String> unanswered = ConcurrentHashMap.newKeySet();

  /** The last known state of a replica's clock. */
  private static final class Clock {
    private final AtomicLong aheadMillis;
    private Distance distance = Distance.WITHIN;

    Clock(AtomicLong aheadMillis) {
      this.aheadMillis = aheadMillis;
    }
  }

  /**
   * @param clock this replica's clock, with which the others' readings are compared
   */
  public CronMetrics(MeterRegistry registry, InstantSource clock, ClockLimits limits) {
    this.meters = new MeterFactory(registry);
    this.clock = clock;
    this.limits = limits;
    ticks =
        meters.counters(
            List.of(TickVerdict.values()),
            "kairos.cron.ticks",
            "Ticks executed, by what they were worth",
            "verdict",
            MeterFactory::word);
    fired = meters.counter("kairos.cron.actions", "Actions that ran");
    failed = meters.counter("kairos.cron.failures", "Callbacks of entries that threw");
    beyondSoft =
        meters.counter(
            "kairos.cron.clock.soft", "Readings further from the own clock than the soft limit");
    beyondHard =
        meters.counter(
            "kairos.cron.clock.hard", "Readings further from the own clock than the hard limit");
  }

  @Override
  public void judged(ComponentId component, ReplicaId from, long round, TickVerdict verdict) {
    ticks.increment(verdict);
  }

  /** A reading beyond a limit is counted and logged only, never refused. */
  @Override
  public void read(ReplicaId from, long readingMillis) {
    long own = clock.millis();
    Distance distance = limits.between(readingMillis, own);
    isLive |= distance == Distance.WITHIN;
    if (!isLive) {
      return;
    }
    Clock known = clocks.computeIfAbsent(from, this::clockOf);
    known.aheadMillis.set(readingMillis - own);
    switch (distance) {
      case WITHIN -> {}
      case BEYOND_SOFT -> beyondSoft.increment();
      case BEYOND_HARD -> beyondHard.increment();
    }
    if (distance != known.distance) {
      known.distance = distance;
      LOG.atWarn()
          .addKeyValue("replica", from)
          .addKeyValue("aheadMillis", readingMillis - own)
          .log(
              distance == Distance.WITHIN
                  ? "a replica's clock agrees with the own one again"
                  : "a replica's clock is far from the own one");
    }
  }

  private Clock clockOf(ReplicaId replica) {
    AtomicLong ahead = new AtomicLong();
    Gauge.builder("kairos.cron.clock.ahead", ahead, millis -> millis.get() / 1e3)
        .description("How far the clock of a replica is ahead of this one's")
        .baseUnit("seconds")
        .tag("replica", Integer.toString(replica.number()))
        .register(meters.registry());
    return new Clock(ahead);
  }

  @Override
  public void evaluated(Tick tick, TickEvaluation evaluation) {
    if (evaluation instanceof TickEvaluation.Done done) {
      fired.increment(done.fired());
    }
  }

  @Override
  public void failed(
      ComponentId component, int position, EntryCallback callback, Throwable thrown) {
    failed.increment();
    LOG.atWarn()
        .addKeyValue("component", component.value())
        .addKeyValue("position", position)
        .addKeyValue("callback", callback)
        .setCause(thrown)
        .log("a callback of an entry threw; the table goes on");
  }

  @Override
  public void done(EffectId id, String kind) {
    effect(kind, "done");
    if (unanswered.remove(kind)) {
      LOG.atInfo().addKeyValue("kind", kind).log("what entries ask for is done again");
    }
  }

  @Override
  public void refused(EffectId id, String kind, String why) {
    effect(kind, "refused");
    LOG.atError()
        .addKeyValue("effect", id)
        .addKeyValue("kind", kind)
        .addKeyValue("why", why)
        .log("what an entry asked for cannot be done, and is given up for this fire");
  }

  @Override
  public void notKnown(EffectId id, String kind, String why) {
    effect(kind, "not_known");
    if (unanswered.add(kind)) {
      LOG.atWarn()
          .addKeyValue("effect", id)
          .addKeyValue("kind", kind)
          .addKeyValue("why", why)
          .log("what an entry asked for is not known to be done; it waits and is asked for again");
    }
  }

  @Override
  public void answered(ScheduleCallEvents.Call call) {
    called(call, "done");
    if (unanswered.remove(call.name())) {
      LOG.atInfo().addKeyValue("call", call).log("the node answers about schedules again");
    }
  }

  @Override
  public void notAnswered(ScheduleCallEvents.Call call, String why) {
    called(call, "not_known");
    if (unanswered.add(call.name())) {
      LOG.atWarn()
          .addKeyValue("call", call)
          .addKeyValue("why", why)
          .log(
              "the node did not answer about schedules and is asked again; its token needs the roles submit and read");
    }
  }

  private void called(ScheduleCallEvents.Call call, String answer) {
    String about = "Calls of a node about the schedules that are decided here, by answer";
    String word = MeterFactory.word(call);
    meters.counter("kairos.cron.schedule.calls", about, "call", word, "answer", answer).increment();
  }

  private void effect(String kind, String answer) {
    String about = "Requested effects, by answer";
    meters.counter("kairos.cron.effects", about, "kind", kind, "answer", answer).increment();
  }
}
