package io.kairos.engine.delay;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.Output;
import io.kairos.engine.delay.port.Claimed;
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
 * What this node holds in memory: the wheel of messages that wait for their time, the lanes of
 * those that are due, and an index over both and over what is being published. Bounded in count and
 * bytes (law 8); always rebuildable from the store. Shared by the steps of a node and the
 * publisher's threads; one lock, never held across a port call. An entry belongs to one life of the
 * node: when that ends, what has not begun to fire is dropped.
 */
final class Holding {
  /**
   * Part of the room that claim-on-insert leaves to messages that are due at once: later ones must
   * not lock them out.
   */
  private static final int RESERVED_FRACTION = 4;

  private final DelayConfig config;

  @GuardedBy("this")
  private Wheel wheel = new Wheel(0);

  @GuardedBy("this")
  private final OutputCapacity capacity;

  @GuardedBy("this")
  private final Map<RouteId, Map<MessageId, Held>> index = new HashMap<>();

  @GuardedBy("this")
  private final Doubts doubts = new Doubts();

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

  /** Dead letters under way. */
  @GuardedBy("this")
  private int parking;

  /** Refused for good, and their dead letters could not be written: to be given back. */
  @GuardedBy("this")
  private final ArrayDeque<Aside> aside = new ArrayDeque<>();

  Holding(
      DelayConfig config,
      Map<RouteId, Route> routes,
      OutputCapacity.PartitionChoice partitionChoice) {
    this.config = config;
    this.capacity = new OutputCapacity(config, routes, partitionChoice);
  }

  private record Aside(Held held, Duration awayFor) {}

  /**
   * A message that must be sent now, to this lane.
   *
   * @param before where it stood until then
   */
  record Launch(Held held, Lane lane, Held.Stage before) {}

  /** Free room, in messages and bytes. */
  record Room(int messages, long bytes) {
    boolean isEmpty() {
      return messages <= 0 || bytes <= 0;
    }
  }

  /** What a message that is to be amended looks like from here. */
  sealed interface Withdrawal {
    /** Its firing has begun. */
    record Begun() implements Withdrawal {}

    /** It had not begun and will not: it is out of the wheel. */
    record Taken() implements Withdrawal {}

    /** It is on its way back to the store: whoever claims it next decides. */
    record Leaving() implements Withdrawal {}

    /** This node does not hold it in memory under this fence. */
    record NotHeld() implements Withdrawal {}
  }

  /** Starts holding for a new life of the node. */
  synchronized void open(NodeId newOwner, long nowMicros) {
    if (owner != null) {
      throw new IllegalStateException("the holding is still " + owner + "'s");
    }
    owner = newOwner;
    wheel = new Wheel(nowMicros);
  }

  /**
   * Ends the life: drops everything that has not begun. What is in flight is settled under its own
   * fence when it lands, and what was sent stays {@linkplain #sent known} until it is deleted.
   */
  synchronized void close() {
    owner = null;
    wheel.clear(held -> held.stage = Held.Stage.WITHDRAWN);
    for (Lane lane : capacity.lanes()) {
      for (Held held = lane.pollFirst(); held != null; held = lane.pollFirst()) {
        held.stage = Held.Stage.WITHDRAWN;
      }
    }
    for (Map<MessageId, Held> ofRoute : index.values()) {
      for (Held held : ofRoute.values()) {
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

  /** From now on nothing more is launched; what is in flight may land. For a graceful stop. */
  synchronized void stopLaunching() {
    launching = false;
  }

  /**
   * Takes claimed messages in. Those that are held already are left alone, so that reading back is
   * safe to repeat; those with undecided amendments are left out, the amend step decides first. One
   * that may have been fired by an earlier holder counts as begun.
   *
   * @return true when one of them is due before everything that was held
   */
  synchronized boolean add(NodeId forOwner, List<Claimed> claims) {
    if (!forOwner.equals(owner)) {
      return false;
    }
    long earliest = wheel.nextDueMicros();
    boolean earlier = false;
    for (Claimed claim : claims) {
      if (!claim.amended()) {
        earlier |= addOne(claim) && claim.message().dueMicros() < earliest;
      }
    }
    return earlier;
  }

  @GuardedBy("this")
  private boolean addOne(Claimed claim) {
    DelayedMessage message = claim.message();
    Map<MessageId, Held> ofRoute = index.computeIfAbsent(message.route(), r -> new HashMap<>());
    Held before = ofRoute.get(message.id());
    if (before != null && before.claimed().fence().equals(claim.fence())) {
      return false;
    }
    if (doubts.isReleased(claim)) {
      return false;
    }
    if (before != null) {
      forget(before); // the store knows better: what was held under another fence is gone
    }
    Held held = new Held(claim);
    if (claim.maybeFired()) {
      held.stage = Held.Stage.BEGUN;
    }
    ofRoute.put(message.id(), held);
    messages++;
    bytes += held.sizeBytes();
    wheel.add(held);
    return true;
  }

  /** Room for messages that are claimed ahead of their time. */
  synchronized Room roomAhead() {
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
  synchronized Room roomDue() {
    return new Room(
        config.claiming().maxMessages() - messages, config.claiming().maxBytes() - bytes);
  }

  /** Tells how many partitions an output has, 0 for unknown. */
  synchronized void partitions(Output output, int count) {
    capacity.partitions(output, count);
  }

  /**
   * Takes out what is to be sent now: moves what is due by {@code untilMicros} to the lanes, and
   * from each lane what fits in flight. Every launch must be followed by {@link #landed} or {@link
   * #putBack}.
   */
  synchronized List<Launch> launches(long untilMicros, int max, long nowNanos) {
    if (!launching) {
      return List.of();
    }
    capacity.rotate();
    List<Held> due = new ArrayList<>();
    wheel.takeDue(untilMicros, max, due::add);
    for (Held held : due) {
      capacity.laneFor(held).enqueue(held);
    }
    List<Launch> launches = new ArrayList<>();
    for (Lane lane : capacity.lanes()) {
      while (launches.size() < max && lane.mayLaunch(config.firing().laneBytes(), nowNanos)) {
        Held held = lane.pollFirst();
        if (held == null) {
          break;
        }
        launches.add(new Launch(held, lane, held.stage));
        held.stage = Held.Stage.BEGUN;
        held.sent = true;
        lane.launched(held.sizeBytes());
      }
    }
    return launches;
  }

  /**
   * A launch that was not sent after all; it goes back to the head of its lane. Call in reverse
   * order of launching.
   *
   * @param tried the publisher did not say that it was not sent: its firing has begun
   */
  synchronized void putBack(Launch launch, boolean tried) {
    launch.lane().landed(launch.held().sizeBytes());
    if (!tried && isIndexed(launch.held())) {
      launch.held().stage = launch.before();
    }
    requeue(launch);
  }

  /** The send ended with an answer of the broker. Returns true when more waits for the lane. */
  synchronized boolean landed(Launch launch) {
    launch.held().acknowledged = true;
    return answered(launch.lane(), launch.held());
  }

  private static boolean answered(Lane lane, Held held) {
    lane.landed(held.sizeBytes());
    lane.answered();
    return lane.queued() > 0;
  }

  /**
   * The broker will never take it, which is an answer all the same. To be followed by {@link
   * #parked} or {@link #notParked}; nobody has received it before that. Returns true when more
   * waits for the lane.
   */
  synchronized boolean refused(Launch launch) {
    parking++;
    return answered(launch.lane(), launch.held());
  }

  /** The dead letter of what was refused is written. */
  synchronized void parked(Launch launch) {
    parking--;
    launch.held().acknowledged = true;
  }

  /** The dead letter of what was refused could not be written: it is given back for that long. */
  synchronized void notParked(Launch launch, Duration awayFor) {
    parking--;
    returned(launch.held());
    if (isIndexed(launch.held())) {
      aside.add(new Aside(launch.held(), awayFor));
    }
  }

  /** The send ended without an answer: its lane is down, the message is tried again (CH-B11). */
  synchronized void failed(Launch launch, long nowNanos) {
    launch.lane().landed(launch.held().sizeBytes());
    launch.lane().failed(nowNanos);
    requeue(launch);
  }

  @GuardedBy("this")
  private void requeue(Launch launch) {
    returned(launch.held());
    if (isIndexed(launch.held())) {
      if (capacity.has(launch.lane())) {
        launch.lane().enqueueFirst(launch.held());
      } else {
        capacity.laneFor(launch.held()).enqueue(launch.held());
      }
    }
  }

  /** It is not on its way out any more. */
  @GuardedBy("this")
  private void returned(Held held) {
    held.sent = false;
    formerSends.remove(held);
  }

  @GuardedBy("this")
  private boolean isIndexed(Held held) {
    DelayedMessage message = held.claimed().message();
    Map<MessageId, Held> ofRoute = index.get(message.route());
    return ofRoute != null && ofRoute.get(message.id()) == held;
  }

  /** A direct publish had no answer: its lane is down. */
  synchronized void failedDirectly(Output output, int partition, long nowNanos) {
    capacity.lane(output, partition).failed(nowNanos);
  }

  /**
   * The partition for a direct publish to this output with this key, or empty when its lane is
   * down, crowded or unknown.
   */
  synchronized OptionalInt openPartition(Output output, byte @Nullable [] key) {
    return capacity.openPartition(output, key);
  }

  /**
   * When to look at the wheel and the lanes again: a due time in microseconds, {@link
   * Long#MAX_VALUE} for none.
   */
  synchronized long nextDueMicros() {
    return launching ? wheel.nextDueMicros() : Long.MAX_VALUE;
  }

  /**
   * Nanoseconds until some lane may be probed or has work that fits now; {@link Long#MAX_VALUE} for
   * none.
   */
  synchronized long nanosToLaunch(long nowNanos) {
    long nanos = Long.MAX_VALUE;
    for (Lane lane : capacity.lanes()) {
      if (launching && lane.mayLaunch(config.firing().laneBytes(), nowNanos)) {
        return 0;
      }
      nanos = Math.min(nanos, lane.nanosToProbe(nowNanos));
    }
    return launching ? nanos : Long.MAX_VALUE;
  }

  /**
   * Routes whose own output has a lane that answers, has not been heard of, or may be tried while
   * nothing waits here that could: only they may reap and claim on insert. What goes to dead lanes
   * is given back.
   */
  synchronized Set<RouteId> publishableRoutes(long nowNanos) {
    return capacity.publishableRoutes(nowNanos);
  }

  /**
   * Routes that may claim ahead: their own output has a lane that answers or has not been heard of,
   * and is not behind with what is due already.
   */
  synchronized Set<RouteId> claimableRoutes() {
    return capacity.claimableRoutes();
  }

  /**
   * Routes whose own output does not answer, but may be tried, or another that they allow answers
   * or may be tried: they claim what is due, a little at a time.
   */
  synchronized Set<RouteId> probingRoutes(long nowNanos) {
    return capacity.probingRoutes(nowNanos);
  }

  /** Whether every route's own output answers or has not been heard of. */
  synchronized boolean isPublishable(long nowNanos) {
    return capacity.isPublishable(nowNanos);
  }

  /** Takes a message out so that it can be amended, unless its firing has begun. */
  synchronized Withdrawal withdraw(Claimed claim) {
    Held held = find(claim.message().route(), claim.message().id(), claim.fence());
    if (held == null) {
      return new Withdrawal.NotHeld();
    }
    if (held.stage == Held.Stage.LEAVING) {
      return new Withdrawal.Leaving();
    }
    if (held.stage == Held.Stage.BEGUN) {
      return new Withdrawal.Begun();
    }
    forget(held);
    return new Withdrawal.Taken();
  }

  synchronized boolean holds(RouteId route, MessageId id, Fence fence) {
    return find(route, id, fence) != null;
  }

  /** Whether any of these ids has been sent, in this life or before, and not yet been deleted. */
  synchronized Sent sent(RouteId route, Collection<MessageId> ids) {
    Map<MessageId, Held> ofRoute = index.getOrDefault(route, Map.of());
    boolean any = false;
    boolean acknowledged = false;
    for (MessageId id : ids) {
      Held held = ofRoute.get(id);
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
   * Of some messages:
   *
   * @param any at least one is on its way out, or has left and is not deleted yet
   * @param acknowledged at least one has left
   */
  record Sent(boolean any, boolean acknowledged) {}

  @GuardedBy("this")
  private @Nullable Held find(RouteId route, MessageId id, Fence fence) {
    Map<MessageId, Held> ofRoute = index.get(route);
    Held held = ofRoute == null ? null : ofRoute.get(id);
    return held != null && held.claimed().fence().equals(fence) ? held : null;
  }

  /**
   * From now until {@link #trust} it is not known which messages carry this fence, and it may be
   * read back.
   */
  synchronized void doubt(Fence fence) {
    doubts.begin(fence);
  }

  /** The fence will not be read back any more. */
  synchronized void trust(Fence fence) {
    doubts.end(fence);
  }

  /** The store has deleted these messages, or they are somebody else's. */
  void released(Collection<Claimed> claims) {
    synchronized (this) {
      claims.forEach(doubts::released);
      claims.forEach(formerSends::remove);
    }
    dropped(claims);
  }

  /** Takes messages out of memory only; reading their fence back brings them again. */
  synchronized void dropped(Collection<Claimed> claims) {
    for (Claimed claim : claims) {
      Held held = find(claim.message().route(), claim.message().id(), claim.fence());
      if (held != null) {
        forget(held);
      }
    }
  }

  /** Takes the entry out of the index and wherever it waits. */
  @GuardedBy("this")
  private void forget(Held held) {
    DelayedMessage message = held.claimed().message();
    Map<MessageId, Held> ofRoute = index.get(message.route());
    if (ofRoute == null || !ofRoute.remove(message.id(), held)) {
      return;
    }
    messages--;
    bytes -= held.sizeBytes();
    Lane lane = held.lane;
    if (lane != null) {
      lane.remove(held);
    } else {
      wheel.remove(held);
    }
    held.stage = Held.Stage.WITHDRAWN;
  }

  /**
   * What goes back to the store because it cannot be fired here now: what stands aside; everything
   * that has waited too long for its lane, so that no peer has to suspect this node; and sooner
   * what would fill memory, the latest of each lane beyond its share. At most {@code max}. None of
   * it is fired here any more: the caller gives it back, however often it has to try, and then
   * calls {@link #dropped}. What may have been sent carries the mark.
   */
  synchronized List<Overflow> overflow(int max, long nowMicros, long nowNanos) {
    List<Overflow> overflow = new ArrayList<>();
    while (overflow.size() < max && !aside.isEmpty()) {
      Aside refused = aside.remove();
      overflow.add(leaves(refused.held(), refused.awayFor(), false));
    }
    long leavingBytes = 0;
    for (Lane lane : capacity.lanes()) {
      boolean answers = !lane.isUseless();
      Duration trouble = capacity.trouble(lane, nowMicros, nowNanos);
      while (overflow.size() < max) {
        boolean crowded = roomAhead(messages - overflow.size(), bytes - leavingBytes).isEmpty();
        Held held = capacity.pollExcess(lane, crowded, nowMicros);
        if (held == null) {
          break;
        }
        leavingBytes += held.sizeBytes();
        overflow.add(leaves(held, capacity.awayFor(lane, trouble, nowMicros), answers));
      }
    }
    return overflow;
  }

  private static Overflow leaves(Held held, Duration awayFor, boolean answers) {
    Claimed claimed = held.claimed();
    boolean begun = held.stage == Held.Stage.BEGUN;
    held.stage = Held.Stage.LEAVING;
    return new Overflow(begun ? claimed.asMaybeFired() : claimed, awayFor, answers);
  }

  /**
   * A message to be given back to the store.
   *
   * @param awayFor how long nobody has to try it again
   * @param answers its lane answers and has too much to do
   */
  record Overflow(Claimed claimed, Duration awayFor, boolean answers) {}

  /** For metrics and the graceful stop. */
  synchronized Counts counts() {
    int inFlight = parking;
    int queued = 0;
    long oldestDueMicros = wheel.nextDueMicros();
    for (Lane lane : capacity.lanes()) {
      inFlight += lane.inFlight();
      queued += lane.queued();
      oldestDueMicros = Math.min(oldestDueMicros, lane.oldestDueMicros());
    }
    return new Counts(messages, bytes, queued, inFlight, oldestDueMicros);
  }

  /**
   * @param messages held in all
   * @param queued due, waiting for their lane
   * @param inFlight sent, not yet answered, dead letters included
   * @param oldestDueMicros due time of about the earliest that was not sent; {@link Long#MAX_VALUE}
   *     for none
   */
  record Counts(int messages, long bytes, int queued, int inFlight, long oldestDueMicros) {}
}
