package io.kairos.engine.delay.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.queue.MessageOutput;
import io.kairos.engine.delay.port.ClaimedMessage;
import io.kairos.engine.delay.setup.DelayConfig;
import io.kairos.engine.delay.setup.Route;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The claimed messages in this node's memory: a wheel of messages that are not due, lanes of due
 * messages, and an index over both and over messages being published. Bounded in count and bytes;
 * can always be rebuilt from the store. Shared by the steps of a node and the publisher's threads
 * under one lock, which is never held across a port call. Each message belongs to one life of the
 * node: when the life ends, messages whose firing has not begun are dropped.
 */
public final class MessageHolding {
  /**
   * One part in this many of the room is reserved for messages that are due at once, so that
   * messages claimed ahead do not lock them out.
   */
  private static final int RESERVED_FRACTION = 4;

  private final DelayConfig config;

  @GuardedBy("this")
  private Wheel wheel = new Wheel(0);

  @GuardedBy("this")
  private final OutputLanes lanes = new OutputLanes();

  @GuardedBy("this")
  private final OutputCapacity capacity;

  @GuardedBy("this")
  private final Map<RouteId, Map<MessageId, HeldMessage>> index = new HashMap<>();

  @GuardedBy("this")
  private final ClaimDoubts doubts = new ClaimDoubts();

  @GuardedBy("this")
  private final FormerSends formerSends = new FormerSends();

  @GuardedBy("this")
  private @Nullable NodeId owner;

  @GuardedBy("this")
  private int messages;

  @GuardedBy("this")
  private long bytes;

  @GuardedBy("this")
  private boolean launching = true;

  /** Number of dead letters in flight. */
  @GuardedBy("this")
  private int parking;

  /** Refused messages whose dead letters could not be written; they go back to the store. */
  @GuardedBy("this")
  private final ArrayDeque<Aside> aside = new ArrayDeque<>();

  public MessageHolding(
      DelayConfig config,
      Map<RouteId, Route> routes,
      OutputCapacity.PartitionChoice partitionChoice) {
    this.config = config;
    this.capacity = new OutputCapacity(config, routes, partitionChoice, lanes);
  }

  private record Aside(HeldMessage held, Duration awayFor) {}

  /**
   * A message that must be sent now, to this lane.
   *
   * @param before the stage of the message until then
   */
  public record Launch(HeldMessage held, OutputLane lane, HeldMessage.Stage before) {}

  /** Free room, in messages and bytes. */
  public record Room(int messages, long bytes) {
    public boolean isEmpty() {
      return messages <= 0 || bytes <= 0;
    }
  }

  /** Result of withdrawing a message that is to be amended. */
  public sealed interface Withdrawal {
    /** The message's firing has begun. */
    record Begun() implements Withdrawal {}

    /** The message's firing had not begun and will not: the message left memory. */
    record Withdrawn() implements Withdrawal {}

    /** The message is on its way back to the store: the next holder decides. */
    record Leaving() implements Withdrawal {}

    /** This node does not hold it in memory under this fence. */
    record NotHeld() implements Withdrawal {}
  }

  /** Begins a life of the node with empty memory. */
  public synchronized void open(NodeId newOwner, long nowMicros) {
    if (owner != null) {
      throw new IllegalStateException("the holding is still " + owner + "'s");
    }
    owner = newOwner;
    wheel = new Wheel(nowMicros);
  }

  /**
   * Ends the life and drops all messages whose firing has not begun. A message in flight is settled
   * under its own fence when it is answered, and {@link #sent} reports sent messages until they are
   * deleted.
   */
  public synchronized void close() {
    owner = null;
    wheel.clear(held -> held.stage = HeldMessage.Stage.WITHDRAWN);
    for (OutputLane lane : lanes.all()) {
      for (HeldMessage held = lane.pollFirst(); held != null; held = lane.pollFirst()) {
        held.stage = HeldMessage.Stage.WITHDRAWN;
      }
    }
    for (Map<MessageId, HeldMessage> ofRoute : index.values()) {
      for (HeldMessage held : ofRoute.values()) {
        if (held.sent) {
          formerSends.add(held);
        }
      }
    }
    index.clear();
    aside.clear();
    messages = 0;
    bytes = 0;
  }

  /** Stops launching, for a graceful stop. Sends in flight may still be answered. */
  public synchronized void stopLaunching() {
    launching = false;
  }

  /**
   * Adds claimed messages. Messages that are already held under this fence stay as they are, so
   * that reading back is idempotent. Messages with undecided amendments are left out, because the
   * amend step decides first. A message that an earlier holder may have fired counts as begun.
   *
   * @return true when one of the added messages is due before every message in the wheel
   */
  public synchronized boolean add(NodeId forOwner, List<ClaimedMessage> claims) {
    if (!forOwner.equals(owner)) {
      return false;
    }
    long earliest = wheel.nextDueMicros();
    boolean earlier = false;
    for (ClaimedMessage claim : claims) {
      if (!claim.amended()) {
        earlier |= addOne(claim) && claim.message().dueMicros() < earliest;
      }
    }
    return earlier;
  }

  @GuardedBy("this")
  private boolean addOne(ClaimedMessage claim) {
    DelayedMessage message = claim.message();
    Map<MessageId, HeldMessage> ofRoute =
        index.computeIfAbsent(message.route(), r -> new HashMap<>());
    HeldMessage before = ofRoute.get(message.id());
    if (before != null && before.claimed().fence().equals(claim.fence())) {
      return false;
    }
    if (doubts.isReleased(claim)) {
      return false;
    }
    if (before != null) {
      forget(before); // the store shows that the claim under the older fence is over
    }
    HeldMessage held = new HeldMessage(claim);
    if (claim.maybeFired()) {
      held.stage = HeldMessage.Stage.BEGUN;
    }
    ofRoute.put(message.id(), held);
    messages++;
    bytes += held.sizeBytes();
    wheel.add(held);
    return true;
  }

  /** Room for messages that are claimed ahead of their time. */
  public synchronized Room roomAhead() {
    return roomAhead(messages, bytes);
  }

  private Room roomAhead(int heldMessages, long heldBytes) {
    int maxMessages = config.claiming().maxMessages();
    long maxBytes = config.claiming().maxBytes();
    return new Room(
        maxMessages - maxMessages / RESERVED_FRACTION - heldMessages,
        maxBytes - maxBytes / RESERVED_FRACTION - heldBytes);
  }

  /** Room for messages that are due at once. */
  public synchronized Room roomDue() {
    return new Room(
        config.claiming().maxMessages() - messages, config.claiming().maxBytes() - bytes);
  }

  /** Sets the number of an output's partitions; 0 is unknown and changes nothing. */
  public synchronized void partitions(MessageOutput output, int count) {
    capacity.partitions(output, count);
  }

  /**
   * Takes out at most {@code max} messages to be sent now: moves messages due by {@code
   * untilMicros} to their lanes, and takes from each lane as many as fit in flight. Each launch
   * must be followed by one call of {@link #landed}, {@link #failed}, {@link #refused} or {@link
   * #putBack}.
   */
  public synchronized List<Launch> launches(long untilMicros, int max, long nowNanos) {
    if (!launching) {
      return List.of();
    }
    lanes.rotate();
    List<HeldMessage> due = new ArrayList<>();
    wheel.takeDue(untilMicros, max, due::add);
    for (HeldMessage held : due) {
      capacity.laneFor(held).enqueue(held);
    }
    List<Launch> launches = new ArrayList<>();
    for (OutputLane lane : lanes.all()) {
      while (launches.size() < max && lane.mayLaunch(config.firing().laneBytes(), nowNanos)) {
        HeldMessage held = lane.pollFirst();
        if (held == null) {
          break;
        }
        launches.add(new Launch(held, lane, held.stage));
        held.stage = HeldMessage.Stage.BEGUN;
        held.sent = true;
        lane.launched(held.sizeBytes());
      }
    }
    return launches;
  }

  /**
   * Returns a launch that was not sent to the head of its lane. Must be called in reverse order of
   * launching.
   *
   * @param tried true when the publisher may have sent it, so that its firing has begun
   */
  public synchronized void putBack(Launch launch, boolean tried) {
    launch.lane().landed(launch.held().sizeBytes());
    if (!tried && isIndexed(launch.held())) {
      launch.held().stage = launch.before();
    }
    requeue(launch);
  }

  /**
   * Notes that the broker acknowledged the send. Returns true when more messages wait for the lane.
   */
  public synchronized boolean landed(Launch launch) {
    launch.held().acknowledged = true;
    return answered(launch.lane(), launch.held());
  }

  private static boolean answered(OutputLane lane, HeldMessage held) {
    lane.landed(held.sizeBytes());
    lane.answered();
    return lane.queued() > 0;
  }

  /**
   * Notes that the broker refused the message for good; its lane counts as answering. Must be
   * followed by {@link #parked} or {@link #notParked}. Returns true when more messages wait for the
   * lane.
   */
  public synchronized boolean refused(Launch launch) {
    parking++;
    return answered(launch.lane(), launch.held());
  }

  /** Notes that the dead letter of a refused message is written. */
  public synchronized void parked(Launch launch) {
    parking--;
    launch.held().acknowledged = true;
  }

  /**
   * Notes that the dead letter of a refused message was not written: the message is deferred for
   * {@code awayFor}.
   */
  public synchronized void notParked(Launch launch, Duration awayFor) {
    parking--;
    returned(launch.held());
    if (isIndexed(launch.held())) {
      aside.add(new Aside(launch.held(), awayFor));
    }
  }

  /** Notes that the send had no answer: the lane is down, and the message is sent again. */
  public synchronized void failed(Launch launch, long nowNanos) {
    launch.lane().landed(launch.held().sizeBytes());
    launch.lane().failed(nowNanos);
    requeue(launch);
  }

  @GuardedBy("this")
  private void requeue(Launch launch) {
    returned(launch.held());
    if (isIndexed(launch.held())) {
      if (lanes.has(launch.lane())) {
        launch.lane().enqueueFirst(launch.held());
      } else {
        capacity.laneFor(launch.held()).enqueue(launch.held());
      }
    }
  }

  /** Notes that the message is not in flight any more. */
  @GuardedBy("this")
  private void returned(HeldMessage held) {
    held.sent = false;
    formerSends.remove(held);
  }

  @GuardedBy("this")
  private boolean isIndexed(HeldMessage held) {
    DelayedMessage message = held.claimed().message();
    return find(message.route(), message.id(), held.claimed().fence()) == held;
  }

  /** Notes that a direct publish had no answer: its lane is down. */
  public synchronized void failedDirectly(MessageOutput output, int partition, long nowNanos) {
    lanes.lane(output, partition).failed(nowNanos);
  }

  /**
   * The partition for a direct publish to this output with this key, or empty when its lane is
   * down, crowded or unknown.
   */
  public synchronized OptionalInt openPartition(MessageOutput output, byte @Nullable [] key) {
    return capacity.openPartition(output, key);
  }

  /**
   * A time before which no message of the wheel is due, in microseconds; {@link Long#MAX_VALUE} for
   * none.
   */
  public synchronized long nextDueMicros() {
    return launching ? wheel.nextDueMicros() : Long.MAX_VALUE;
  }

  /**
   * Nanoseconds until some lane may launch a message or a probe, zero for at once; {@link
   * Long#MAX_VALUE} when only an answer can help.
   */
  public synchronized long nanosToLaunch(long nowNanos) {
    long nanos = Long.MAX_VALUE;
    for (OutputLane lane : lanes.all()) {
      if (launching && lane.mayLaunch(config.firing().laneBytes(), nowNanos)) {
        return 0;
      }
      nanos = Math.min(nanos, lane.nanosToProbe(nowNanos));
    }
    return launching ? nanos : Long.MAX_VALUE;
  }

  /**
   * Routes whose own output has a lane that is not down, or is due for a probe and has no message
   * to probe with. Only their messages may be reaped, taken over and claimed on insert.
   */
  public synchronized Set<RouteId> publishableRoutes(long nowNanos) {
    return capacity.publishableRoutes(nowNanos);
  }

  /**
   * Routes that may claim ahead: their own output has a lane that is not down, and not too many due
   * messages wait for it.
   */
  public synchronized Set<RouteId> claimableRoutes() {
    return capacity.claimableRoutes();
  }

  /**
   * Routes whose own output is down, but which have an output, own or allowed, that is not down or
   * is due for a probe. They claim a few due messages at a time.
   */
  public synchronized Set<RouteId> probingRoutes(long nowNanos) {
    return capacity.probingRoutes(nowNanos);
  }

  /** True when each route is among the {@link #publishableRoutes}. */
  public synchronized boolean isPublishable(long nowNanos) {
    return capacity.isPublishable(nowNanos);
  }

  /** Takes a message out of memory so that it can be amended, unless its firing has begun. */
  public synchronized Withdrawal withdraw(ClaimedMessage claim) {
    HeldMessage held = find(claim.message().route(), claim.message().id(), claim.fence());
    if (held == null) {
      return new Withdrawal.NotHeld();
    }
    if (held.stage == HeldMessage.Stage.LEAVING) {
      return new Withdrawal.Leaving();
    }
    if (held.stage == HeldMessage.Stage.BEGUN) {
      return new Withdrawal.Begun();
    }
    forget(held);
    return new Withdrawal.Withdrawn();
  }

  /**
   * True when this node has the message under this fence in memory, or has sent it and not settled.
   */
  public synchronized boolean holds(RouteId route, MessageId id, Fence fence) {
    HeldMessage former = formerSends.find(route, id);
    return find(route, id, fence) != null
        || (former != null && former.claimed().fence().equals(fence));
  }

  /** True while messages that an ended life has sent are unanswered or not yet deleted. */
  public synchronized boolean hasSends(NodeId former) {
    return formerSends.hasAnyOf(former);
  }

  /**
   * Whether any message with one of these ids was sent, in this life or an earlier one, and is not
   * yet deleted.
   */
  public synchronized Sent sent(RouteId route, Collection<MessageId> ids) {
    Map<MessageId, HeldMessage> ofRoute = index.getOrDefault(route, Map.of());
    boolean any = false;
    boolean acknowledged = false;
    for (MessageId id : ids) {
      HeldMessage held = ofRoute.get(id);
      if (held == null || !held.sent) {
        held = formerSends.find(route, id);
      }
      if (held != null) {
        any = true;
        acknowledged |= held.acknowledged;
      }
    }
    return new Sent(any, acknowledged);
  }

  /**
   * Sent messages among some ids.
   *
   * @param any true when at least one was sent and is not deleted yet
   * @param acknowledged true when at least one of them was acknowledged
   */
  public record Sent(boolean any, boolean acknowledged) {}

  @GuardedBy("this")
  private @Nullable HeldMessage find(RouteId route, MessageId id, Fence fence) {
    Map<MessageId, HeldMessage> ofRoute = index.get(route);
    HeldMessage held = ofRoute == null ? null : ofRoute.get(id);
    return held != null && held.claimed().fence().equals(fence) ? held : null;
  }

  /**
   * Notes that a claim under this fence has an unknown outcome. The fence may be read back until
   * {@link #trust}.
   */
  public synchronized void doubt(Fence fence) {
    doubts.begin(fence);
  }

  /** Notes that the fence will not be read back any more. */
  public synchronized void trust(Fence fence) {
    doubts.end(fence);
  }

  /** Removes messages that the store has deleted, or that another node holds. */
  public void released(Collection<ClaimedMessage> claims) {
    synchronized (this) {
      claims.forEach(doubts::released);
      claims.forEach(formerSends::remove);
    }
    dropped(claims);
  }

  /** Takes messages out of memory only; reading their fence back may bring them again. */
  public synchronized void dropped(Collection<ClaimedMessage> claims) {
    for (ClaimedMessage claim : claims) {
      HeldMessage held = find(claim.message().route(), claim.message().id(), claim.fence());
      if (held != null) {
        forget(held);
      }
    }
  }

  /** Takes the message out of the index and out of the wheel or its lane. */
  @GuardedBy("this")
  private void forget(HeldMessage held) {
    DelayedMessage message = held.claimed().message();
    Map<MessageId, HeldMessage> ofRoute = index.get(message.route());
    if (ofRoute == null || !ofRoute.remove(message.id(), held)) {
      return;
    }
    messages--;
    bytes -= held.sizeBytes();
    OutputLane lane = held.lane;
    if (lane != null) {
      lane.remove(held);
    } else {
      wheel.remove(held);
    }
    held.stage = HeldMessage.Stage.WITHDRAWN;
  }

  /**
   * Takes out at most {@code max} messages that must go back to the store: refused messages without
   * a dead letter; messages that have waited too long for their lane, so that no peer suspects this
   * node; and the latest messages of lanes beyond their share of memory. None of them is fired here
   * any more. The caller gives them back, retrying until it succeeds, and then calls {@link
   * #dropped}. Messages that may have been sent are marked as {@linkplain ClaimedMessage#maybeFired
   * maybe fired}.
   */
  public synchronized List<Overflow> overflow(int max, long nowMicros, long nowNanos) {
    List<Overflow> overflow = new ArrayList<>();
    while (overflow.size() < max && !aside.isEmpty()) {
      Aside refused = aside.remove();
      overflow.add(leaves(refused.held(), refused.awayFor(), false));
    }
    long leavingBytes = 0;
    for (OutputLane lane : lanes.all()) {
      boolean answers = !lane.isUseless();
      Duration trouble = capacity.trouble(lane, nowMicros, nowNanos);
      while (overflow.size() < max) {
        boolean crowded = roomAhead(messages - overflow.size(), bytes - leavingBytes).isEmpty();
        HeldMessage held = capacity.pollExcess(lane, crowded, nowMicros);
        if (held == null) {
          break;
        }
        leavingBytes += held.sizeBytes();
        overflow.add(leaves(held, capacity.awayFor(lane, trouble, nowMicros), answers));
      }
    }
    return overflow;
  }

  private static Overflow leaves(HeldMessage held, Duration awayFor, boolean answers) {
    ClaimedMessage claimed = held.claimed();
    boolean begun = held.stage == HeldMessage.Stage.BEGUN;
    held.stage = HeldMessage.Stage.LEAVING;
    return new Overflow(begun ? claimed.asMaybeFired() : claimed, awayFor, answers);
  }

  /**
   * A message to be given back to the store.
   *
   * @param awayFor how long no node claims the message again
   * @param answers true when its lane answers but is too slow
   */
  public record Overflow(ClaimedMessage claimed, Duration awayFor, boolean answers) {}

  /** Present numbers, for metrics and the graceful stop. */
  public synchronized Counts counts() {
    int inFlight = parking;
    int queued = 0;
    long oldestDueMicros = wheel.nextDueMicros();
    for (OutputLane lane : lanes.all()) {
      inFlight += lane.inFlight();
      queued += lane.queued();
      oldestDueMicros = Math.min(oldestDueMicros, lane.oldestDueMicros());
    }
    return new Counts(messages, bytes, queued, inFlight, oldestDueMicros);
  }

  /** Lanes that are dead, or in which a message has waited for a second or more. */
  public synchronized List<LaneTrouble> troubles(long nowMicros, long nowNanos) {
    List<LaneTrouble> troubles = new ArrayList<>();
    for (OutputLane lane : lanes.all()) {
      boolean isUnknown = lane.partition() == OutputLane.UNKNOWN_PARTITION;
      Duration behind = lane.behind(nowMicros);
      if (lane.isDown()
          || (isUnknown && lane.queued() > 0)
          || behind.compareTo(LaneTrouble.SLOW_FROM) >= 0) {
        troubles.add(
            new LaneTrouble(
                lane.output(),
                lane.partition(),
                lane.isDown(),
                lane.isDown() ? lane.downFor(nowNanos) : behind,
                lane.queued()));
      }
    }
    return troubles;
  }

  /**
   * Numbers of messages in memory.
   *
   * @param messages all messages in memory
   * @param bytes their size
   * @param queued due messages that wait for their lane
   * @param inFlight sends that are not answered, dead letters included
   * @param oldestDueMicros approximate due time of the earliest message that was not sent, in
   *     microseconds; {@link Long#MAX_VALUE} for none
   */
  public record Counts(int messages, long bytes, int queued, int inFlight, long oldestDueMicros) {}
}
