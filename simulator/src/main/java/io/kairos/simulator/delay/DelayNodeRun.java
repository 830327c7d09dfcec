package io.kairos.simulator.delay;

import static io.kairos.simulator.delay.DelayRuleNames.BOUNDED;
import static io.kairos.simulator.kernel.RareState.DIED_AFTER_CLAIMING;
import static io.kairos.simulator.kernel.RareState.DIED_AFTER_DELETING;
import static io.kairos.simulator.kernel.RareState.DIED_AFTER_PUBLISHING;
import static io.kairos.simulator.kernel.RareState.DIED_AFTER_STORING;
import static io.kairos.simulator.kernel.RareState.DIED_BEFORE_CLAIMING;
import static io.kairos.simulator.kernel.RareState.DIED_BEFORE_DELETING;
import static io.kairos.simulator.kernel.RareState.DIED_BEFORE_PUBLISHING;
import static io.kairos.simulator.kernel.RareState.DIED_BEFORE_STORING;
import static io.kairos.simulator.kernel.RareState.LATE_DELETE;
import static io.kairos.simulator.kernel.RareState.LATE_DELETE_OF_A_REUSED_ID;

import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.RouteId;
import io.kairos.engine.delay.DelayNode;
import io.kairos.engine.delay.port.ClaimRequest;
import io.kairos.engine.delay.port.ClaimedMessage;
import io.kairos.engine.delay.port.IntakeBatch;
import io.kairos.engine.delay.port.OffsetMove;
import io.kairos.engine.delay.setup.DelayEvents;
import io.kairos.engine.delay.setup.DelayPorts;
import io.kairos.engine.delay.setup.Route;
import io.kairos.engine.node.NodeLife;
import io.kairos.model.delay.ModelInputSource;
import io.kairos.simulator.kernel.CallTrap;
import io.kairos.simulator.kernel.Fiber;
import io.kairos.simulator.kernel.NodeRun;
import io.kairos.simulator.kernel.PortCall;
import io.kairos.simulator.kernel.VirtualClock;
import io.kairos.simulator.kernel.VirtualWakeup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One run of a node of the delay queue, with its calls and records in flight. */
final class DelayNodeRun extends NodeRun<DelayCluster> {
  private static final Duration STOPS_WITHIN = Duration.ofSeconds(8);
  private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(3);

  private final NodeLife life;
  final DelayNode node;
  private final List<ModelInputSource> sources = new ArrayList<>();
  final List<RecordDelivery> flights = new ArrayList<>();

  /** Direct publishes whose batch has not been stored yet. */
  final List<MessageSend> openDirect = new ArrayList<>();

  DelayNodeRun(DelayCluster world, String name, VirtualClock clock) {
    super(world, name, clock);
    List<Route> routes = new ArrayList<>();
    for (DelayTopology.Pair pair : world.topology.pairs()) {
      ModelInputSource source =
          world.broker.join(
              "kairos",
              pair.input(),
              world.scenario.maxPollRecords(),
              () -> new VirtualWakeup(world.kernel));
      sources.add(source);
      routes.add(pair.route(new FaultyInputSource(this, pair.input(), source)));
    }
    this.life = life(world.scenario.config().liveness(), world.liveness);
    DelayPorts ports =
        new DelayPorts(
            FaultyDelayStore.messages(this, world.messages),
            FaultyDelayStore.amendments(this, world.amendments),
            new FaultyPublisher(this),
            clock,
            VirtualClock.monotonic(world.kernel),
            () -> new VirtualWakeup(world.kernel),
            this::jitter,
            DelayEvents.NONE);
    this.node = new DelayNode(world.scenario.config(), routes, life, world.wiring.around(ports));
    node.activities().forEach(this::drive);
    life.activities().forEach(this::drive);
  }

  private Duration jitter() {
    long bound = world.scenario.config().claiming().pollJitter().toNanos();
    return Duration.ofNanos(bound == 0 ? 0 : world.weather.random.nextLong(bound));
  }

  /** The sender of the running fiber: an intake or not. */
  DelayPublishRules.Sender asSender() {
    Fiber running = world.kernel.running();
    boolean isIntake = running != null && running.toString().startsWith(this + "/intake-");
    return new DelayPublishRules.Sender(toString(), life.id(), clock, isIntake);
  }

  @Override
  public void stop() {
    node.stop(STOPS_WITHIN);
    life.end();
  }

  @Override
  public void dies() {
    for (RecordDelivery flight : flights) {
      flight.senderDied();
    }
    for (MessageSend send : openDirect) {
      send.message.excuses++;
    }
    world.kernel.after(SESSION_TIMEOUT.toNanos(), () -> sources.forEach(ModelInputSource::close));
  }

  @Override
  public void standsStill() {
    world.kernel.after(
        SESSION_TIMEOUT.toNanos(),
        () -> {
          if (process.isFrozenAt(world.kernel.nowNanos())) {
            sources.forEach(ModelInputSource::expire);
          }
        });
  }

  @Override
  public void struck(CallTrap.Kind kind, PortCall operation) {
    boolean before = kind == CallTrap.Kind.CRASH_BEFORE;
    if (!before && kind != CallTrap.Kind.CRASH_AFTER) {
      return;
    }
    if (operation instanceof PortCall.Accept) {
      reached(before ? DIED_BEFORE_STORING : DIED_AFTER_STORING);
    } else if (operation instanceof PortCall.Claim) {
      reached(before ? DIED_BEFORE_CLAIMING : DIED_AFTER_CLAIMING);
    } else if (operation.equals(CallTrap.SEND)) {
      reached(before ? DIED_BEFORE_PUBLISHING : DIED_AFTER_PUBLISHING);
    } else if (operation instanceof PortCall.Delete) {
      reached(before ? DIED_BEFORE_DELETING : DIED_AFTER_DELETING);
    }
  }

  @Override
  public void standsStillAt(PortCall operation, long nanos) {
    if (operation instanceof PortCall.Delete(var fired)) {
      // The most interesting moment to use an id again is while its late delete is on its way.
      world.workload.submitAgain(fired, nanos - 500_000_000);
    }
  }

  // Reports to the checkers

  void stamps(Fence fence) {
    world.storeRules.stamped(fence, clock.micros());
  }

  void deletes(List<ClaimedMessage> fired) {
    for (ClaimedMessage one : fired) {
      ProducedRecord stored = world.ledger.stored(one.message().route(), one.message().id());
      if (stored == null || !one.fence().equals(stored.holder)) {
        reached(LATE_DELETE);
        reached(
            LATE_DELETE_OF_A_REUSED_ID,
            stored != null
                && stored.submitted.tag() != RecordTag.ofEncoded(one.message().headers()));
      }
    }
  }

  void checkBounds(ClaimRequest request, List<ClaimedMessage> claimed) {
    DelayHistory ledger = world.ledger;
    long bytes = 0;
    for (ClaimedMessage one : claimed) {
      bytes += one.message().payloadBytes();
    }
    long total = bytes;
    ledger.check(
        claimed.size() <= request.maxMessages()
            && (total <= request.maxBytes() || claimed.size() == 1),
        BOUNDED,
        () -> "a claim for " + request.maxMessages() + " messages brought " + claimed.size());
    int most = world.scenario.config().claiming().maxMessages();
    ledger.check(
        node.status().held() <= most + world.scenario.config().claiming().batch(),
        BOUNDED,
        () -> this + " holds " + node.status().held() + " messages, allowed are " + most);
  }

  /** A batch goes to the store: what in it was published and has no answer may come again. */
  void takesIn(IntakeBatch batch) {
    for (MessageSend send : openDirect) {
      send.unansweredWhenStored |= !send.acknowledged && covers(batch, send.message);
    }
  }

  /** A batch was answered: if it is not known to be stored, its records may come again. */
  void takenIn(IntakeBatch batch, boolean stored) {
    openDirect.removeIf(send -> {
      boolean covered = covers(batch, send.message);
      if (covered && !stored) {
        send.message.excuses++;
      }
      return covered;
    });
  }

  private static boolean covers(IntakeBatch batch, ProducedRecord message) {
    RouteId route = message.submitted.route();
    for (OffsetMove move : batch.moves()) {
      if (batch.route().equals(route)
          && move.partition() == message.submitted.partition()
          && message.submitted.offset() < move.next()) {
        return true;
      }
    }
    return false;
  }

  /** Dies here when a trap of this kind was set for the call. */
  void crashIfTrapped(CallTrap.Kind kind, PortCall call) {
    if (springs(kind, call)) {
      crash();
      dieIfDead();
    }
  }
}
