package io.kairos.engine.cron;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.CronListener;
import io.kairos.domain.cron.CronTableRegistry;
import io.kairos.domain.cron.Tick;
import io.kairos.domain.cron.clock.AgreedClock;
import io.kairos.domain.cron.clock.ClockLimits;
import io.kairos.domain.cron.outbox.EffectOutbox;
import io.kairos.domain.cron.round.TickRounds;
import io.kairos.domain.cron.round.TickVerdict;
import io.kairos.domain.page.ReservedPages;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.OrderedRequest;
import io.kairos.engine.replica.RequestOrigin;
import io.kairos.engine.replica.StateMachine;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replicated cron as a state machine: ticks and requests of clients come in one order, and ticks
 * move the agreed time and evaluate cron tables. All state is in reserved pages. Used on the log's
 * thread only.
 */
public final class CronMachine implements StateMachine {
  private static final Logger LOG = LoggerFactory.getLogger(CronMachine.class);

  private static final byte[] NOTHING = {};

  /** Number of rounds for which a clock reading counts. */
  private static final long RECENT_ROUNDS = 4;

  private final Config config;
  private final CronApplication application;
  private final TickListener onlooker;
  private final ReservedPages pages;
  private final RequestTrail trail;
  private final CronTableRegistry tables;
  private final TickRounds rounds;
  private final AgreedClock clock;
  private final EffectOutbox outbox;
  private volatile Runnable afterTick = () -> {};

  /**
   * Configuration that must be equal on all replicas.
   *
   * @param time true if there is agreed time
   * @param maxBytes bound on the state, see {@link ReservedPages}
   */
  public record Config(ReplicaGroup cluster, boolean time, ClockLimits limits, long maxBytes) {
    /**
     * With a few copies while a snapshot is made, this fits into a heap of 1 GiB. A quarter of it
     * has room for the next times of all entries, and whatever else tables keep, and another one
     * for all effects that may wait.
     */
    public static final long DEFAULT_MAX_BYTES = 64 << 20;

    /** With agreed time, the published limits and the default bound. */
    public Config(ReplicaGroup cluster) {
      this(cluster, true, ClockLimits.PUBLISHED, DEFAULT_MAX_BYTES);
    }
  }

  public CronMachine(
      Config config, CronApplication application, CronListener entries, TickListener onlooker) {
    this.config = config;
    this.application = application;
    this.onlooker = onlooker;
    this.pages = new ReservedPages(config.maxBytes());
    this.trail = new RequestTrail(pages);
    this.tables = new CronTableRegistry(pages, trail.behind(entries));
    this.rounds = new TickRounds(config.cluster(), pages);
    this.clock = new AgreedClock(config.cluster(), config.limits(), pages);
    this.outbox = new EffectOutbox(pages);
    application.build(tables, pages);
  }

  @Override
  public byte[] execute(OrderedRequest request) {
    trail.begin(request.sequence());
    LogCommand command = LogCommand.decode(request.command()).orElse(null);
    byte[] reply =
        switch (command) {
          case null -> LogReply.ILL_FORMED.alone();
          case LogCommand.Tick tick -> {
            byte[] answer = tick(tick, request).alone();
            afterTick.run();
            yield answer;
          }
          case LogCommand.Request(byte[] body) -> request(request.sequence(), body);
          case LogCommand.Effects effects -> effects(effects, request.origin()).alone();
        };
    trail.end();
    return reply;
  }

  /**
   * Sets the one listener that is called after each tick, on the log's thread. The listener is not
   * part of the state and must not throw. May be called by any thread.
   */
  void onTick(Runnable told) {
    afterTick = told;
  }

  private LogReply tick(LogCommand.Tick tick, OrderedRequest request) {
    ComponentId component = tick.component();
    ReplicaId from = request.origin().replica();
    if (from == null
        || !config.cluster().has(from)
        || !request.origin().client().equals(ClientId.ofTicks(from, component))) {
      return LogReply.NOT_YOURS;
    }
    if (tables.find(component).isEmpty()) {
      return LogReply.UNKNOWN_COMPONENT;
    }
    Long reading = tick.readingMillis();
    if (config.time() && (reading == null || !AgreedClock.isWellFormed(reading))) {
      clock.countIllFormed();
      return LogReply.ILL_FORMED;
    }
    TickVerdict verdict = rounds.judge(component, from, tick.round());
    onlooker.judged(component, from, tick.round(), verdict);
    AgreedTime time =
        config.time() && reading != null
            ? moved(from, reading, request.logTime(), verdict)
            : AgreedTime.OFF;
    if (!verdict.evaluates()) {
      return LogReply.NOT_NEEDED;
    }
    Tick agreed = new Tick(component, request.sequence(), time);
    onlooker.evaluated(agreed, tables.evaluate(agreed));
    return LogReply.EVALUATED;
  }

  /** Records the sender's clock. A tick that is not needed does not move the agreed time. */
  private AgreedTime moved(ReplicaId from, long reading, AgreedTime logTime, TickVerdict verdict) {
    onlooker.read(from, reading);
    if (!verdict.evaluates()) {
      clock.note(from, reading);
      return clock.now();
    }
    return switch (logTime) {
      case AgreedTime.At byLog -> clock.advance(from, reading, byLog);
      case AgreedTime.Off _ ->
          clock.advance(from, reading, RECENT_ROUNDS * config.cluster().size() * tables.count());
    };
  }

  private byte[] request(long sequence, byte[] body) {
    CronApplication.Request request = new CronApplication.Request(sequence, now(), body);
    AtomicReference<byte[]> reply = new AtomicReference<>(NOTHING);
    try {
      pages.undoIfItThrows(() -> reply.set(application.execute(request, pages)));
    } catch (RuntimeException e) { // of user code: the client is told, and the replica goes on
      LOG.atWarn().addKeyValue("sequence", sequence).setCause(e).log("a request failed");
      return LogReply.FAILED.alone();
    }
    return LogReply.EXECUTED.with(reply.get());
  }

  private LogReply effects(LogCommand.Effects effects, RequestOrigin origin) {
    ReplicaId from = origin.replica();
    if (from == null
        || !config.cluster().has(from)
        || !origin.client().equals(ClientId.ofEffects(from))) {
      return LogReply.NOT_YOURS;
    }
    effects.wanted().forEach(id -> outbox.wanted(id, from));
    effects.done().forEach(id -> outbox.done(id, from, config.cluster()));
    return LogReply.NOTED;
  }

  private AgreedTime now() {
    return config.time() ? clock.now() : AgreedTime.OFF;
  }

  @Override
  public byte[] snapshot() {
    return pages.snapshot().encode();
  }

  @Override
  public void restore(byte[] snapshot) {
    pages.restore(ReservedPages.Snapshot.decode(snapshot));
    trail.clear();
    tables.components().forEach(tables::disassociate);
    application.build(tables, pages);
  }

  @Override
  public byte[] digest() {
    return pages.digest();
  }

  /** The present round of each component's ticks. */
  public TickRounds rounds() {
    return rounds;
  }

  public AgreedClock clock() {
    return clock;
  }

  /** The effects that actions have decided and that are not done yet. */
  public EffectOutbox outbox() {
    return outbox;
  }

  public CronTableRegistry tables() {
    return tables;
  }

  public ReservedPages pages() {
    return pages;
  }

  /** The recent writes, by request and entry. */
  public RequestTrail trail() {
    return trail;
  }
}
