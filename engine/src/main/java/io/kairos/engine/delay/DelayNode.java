package io.kairos.engine.delay;

import io.kairos.domain.delay.Amendment;
import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.delay.port.AmendRequest;
import io.kairos.engine.delay.port.InputSource;
import io.kairos.engine.delay.port.IntakeBatch;
import io.kairos.engine.delay.port.IntakeResult;
import io.kairos.engine.delay.port.ReplyTo;
import io.kairos.engine.loop.Activity;
import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.node.Incarnation;
import io.kairos.engine.node.NodeLife;
import io.kairos.engine.node.StoreUnavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A node of the delay queue: assembles the steps from ports, the same for production and simulator.
 * Whoever makes it drives the {@linkplain #activities activities}, each on a thread of its own, and
 * ends with {@link #stop}. Flows are in ARCHITECTURE.md.
 */
public final class DelayNode {
  private static final Duration STOP_LOOKS_EVERY = Duration.ofMillis(10);
  private static final Duration AMENDMENT_LOOKS_EVERY = Duration.ofMillis(20);

  private final Ports ports;
  private final NodeContext node;
  private final Settled settled = new Settled();
  private final AdvanceGauge advance;
  private final SettleStep settleStep;
  private final Wakeup stopping;
  private final Wakeup claim;
  private final List<Activity> intake = new ArrayList<>();
  private final List<Activity> others = new ArrayList<>();
  private final AtomicInteger openSources = new AtomicInteger();
  private volatile boolean intakeStopped;

  /** Nothing runs yet. Messages are held under the present life, and end with it. */
  public DelayNode(DelayConfig config, List<Route> servedRoutes, NodeLife life, Ports ports) {
    this.ports = ports;
    Routes routes = new Routes(servedRoutes);
    this.advance = new AdvanceGauge(config.firing().advance());
    this.node =
        new NodeContext(
            config,
            routes,
            life.membership(),
            new Holding(config, routes.byId(), ports.publisher()::partitionFor),
            ports.clock(),
            ports.monotonic(),
            ports.events());
    this.stopping = ports.wakeups().create();
    Wakeup fire = ports.wakeups().create();
    Wakeup amend = ports.wakeups().create();
    Wakeup settle = ports.wakeups().create();
    Claims claims = new Claims(node, ports.messages(), fire, amend);
    FireStep fireStep = new FireStep(node, ports.publisher(), settled, advance, fire);
    List<Wakeup> deletions = new ArrayList<>();
    this.settleStep =
        new SettleStep(node, settled, ports.messages(), () -> deletions.forEach(Wakeup::signal));
    List<Wakeup> wakeWhenEnrolled = new ArrayList<>(List.of(fire, amend));
    List<Wakeup> tells = new ArrayList<>();
    for (Route route : routes.all()) {
      Wakeup tell = wakened(wakeWhenEnrolled);
      tells.add(tell);
      others.add(
          Activity.serving(
              new TellStep(node, route, ports.amendments(), ports.publisher(), outbox()), tell));
      Wakeup deleted = ports.wakeups().create();
      deletions.add(deleted);
      IntakeStep step =
          new IntakeStep(
              node,
              route,
              ports.messages(),
              ports.publisher(),
              outbox(),
              claims,
              advance,
              tell,
              settle,
              deleted);
      intake.add(Activity.serving(stoppable(step, route.source()), wakened(wakeWhenEnrolled)));
    }
    others.add(Activity.serving(fireStep, fire));
    others.add(Activity.serving(settleStep, settle));
    this.claim = wakened(wakeWhenEnrolled);
    others.add(
        Activity.looking(
            new ClaimStep(node, ports.messages(), claims, advance, ports.pollJitter()), claim));
    others.add(
        Activity.serving(
            new AmendStep(node, ports.amendments(), claims, () -> tells.forEach(Wakeup::signal)),
            amend));
    add(new TakeoverStep(node, ports.messages(), ports.amendments(), life.store(), claims));
    add(new BackstopStep(node, ports.messages(), life.store()));
    life.sustain(new HeldMessages(node, fireStep, wakeWhenEnrolled));
  }

  private Outbox outbox() {
    return new Outbox(ports.publisher(), ports.wakeups().create(), ports.monotonic());
  }

  private void add(Step step) {
    others.add(Activity.looking(step, ports.wakeups().create()));
  }

  private Wakeup wakened(List<Wakeup> wakeWhenEnrolled) {
    Wakeup wakeup = ports.wakeups().create();
    wakeWhenEnrolled.add(wakeup);
    return wakeup;
  }

  /** A source is used and closed by the thread of its intake step alone. */
  private Step stoppable(IntakeStep step, InputSource source) {
    openSources.incrementAndGet();
    return new Step() {
      private boolean closed;

      @Override
      public String name() {
        return step.name();
      }

      @Override
      public Next runOnce() {
        if (!intakeStopped) {
          return step.runOnce();
        }
        if (!closed) {
          source.close();
          closed = true;
          openSources.decrementAndGet();
        }
        return Next.after(STOP_LOOKS_EVERY);
      }
    };
  }

  /** Every step with its wakeup, to be driven one thread each. */
  public List<Activity> activities() {
    List<Activity> all = new ArrayList<>(intake);
    all.addAll(others);
    return all;
  }

  /**
   * Stops gracefully, while the activities are still driven: takes nothing more in, launches
   * nothing more, waits for what is in flight and deletes what was acknowledged. Afterwards the
   * caller gives the rest back by ending the node's life, and stops driving the activities.
   *
   * @param atMost bound on the wait for the broker and the store
   * @return true when nothing was left in flight: no message of this node can be published twice
   *     because of the stop
   */
  public boolean stop(Duration atMost) {
    intakeStopped = true;
    node.holding().stopLaunching();
    long untilNanos = ports.monotonic().nanos() + atMost.toNanos();
    while (!isQuiet() && ports.monotonic().nanos() - untilNanos < 0) {
      stopping.await(STOP_LOOKS_EVERY);
    }
    return isQuiet();
  }

  private boolean isQuiet() {
    return openSources.get() == 0 && node.holding().counts().inFlight() == 0 && settleStep.isDone();
  }

  /** What the node is doing, for metrics and readiness. */
  public Status status() {
    Holding.Counts counts = node.holding().counts();
    long nowNanos = ports.monotonic().nanos();
    return new Status(
        node.holding().isPublishable(nowNanos),
        counts.messages(),
        counts.bytes(),
        counts.queued(),
        counts.inFlight(),
        settled.size(),
        counts.oldestDueMicros(),
        Duration.ofNanos(advance.micros(nowNanos) * 1_000));
  }

  /**
   * What the node is doing.
   *
   * @param publishable whether every route's output answers
   * @param held messages in memory
   * @param queued of these: due, waiting for their output partition
   * @param inFlight of these: sent, not answered
   * @param unsettled acknowledged, not yet deleted
   * @param oldestDueMicros due time of about the earliest held message that was not sent; {@link
   *     Long#MAX_VALUE} for none
   * @param advance the timing advance in force
   */
  public record Status(
      boolean publishable,
      int held,
      long heldBytes,
      int queued,
      int inFlight,
      int unsettled,
      long oldestDueMicros,
      Duration advance) {}

  /**
   * Takes messages of one route in, for edges other than the input topic: all or none, durable when
   * it returns. One whose id is that of a message that waits is passed over.
   *
   * @return the ids that were new
   * @throws StoreUnavailable when the store cannot be asked: they may or may not have been accepted
   */
  public Set<MessageId> submit(RouteId route, List<DelayedMessage> messages) {
    Incarnation acting =
        node.membership()
            .acting()
            .orElseThrow(() -> new StoreUnavailable("this node is not enrolled at present"));
    long nowMicros = EpochMicros.of(ports.clock().instant());
    IntakeBatch batch =
        new IntakeBatch(
            route,
            new Fence(acting.id(), acting.nextStamp(nowMicros)),
            List.of(),
            List.of(),
            messages,
            List.of());
    if (!(ports.messages().accept(batch) instanceof IntakeResult.Stored(var inserted, _))) {
      throw new StoreUnavailable("this node's life has just ended");
    }
    node.events().accepted(route, inserted.size(), 0);
    long soon = nowMicros + EpochMicros.lengthOf(node.config().claiming().horizon());
    if (messages.stream().anyMatch(message -> message.dueMicros() <= soon)) {
      claim.signal();
    }
    return inserted;
  }

  /**
   * Amends a message by id, for edges other than the input topic. Blocks until the outcome is
   * known.
   *
   * @return empty when the holder has not decided in time; the amendment stays and may still be
   *     applied
   * @throws StoreUnavailable when the store cannot be asked: the amendment may or may not have been
   *     accepted
   */
  public Optional<AmendmentOutcome> amend(
      RouteId route, MessageId id, Amendment amendment, Duration atMost) {
    long number =
        ports.amendments().request(new AmendRequest(route, id, amendment, new ReplyTo.Caller()));
    Wakeup waiting = ports.wakeups().create();
    long untilNanos = ports.monotonic().nanos() + atMost.toNanos();
    while (true) {
      Optional<AmendmentOutcome> outcome = ports.amendments().outcome(number);
      if (outcome.isPresent()) {
        ports.amendments().told(List.of(number));
        return outcome;
      }
      if (ports.monotonic().nanos() - untilNanos >= 0) {
        return Optional.empty();
      }
      waiting.await(AMENDMENT_LOOKS_EVERY);
    }
  }
}
