package io.kairos.engine.delay;

import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.delay.Holding.Overflow;
import io.kairos.engine.delay.Holding.Room;
import io.kairos.engine.delay.port.ClaimRequest;
import io.kairos.engine.delay.port.Claimed;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import io.kairos.engine.node.Incarnation;
import io.kairos.engine.time.Monotonic;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Claims waiting messages in due order (CH-25): those due within the horizon while memory has room,
 * those due before the next poll in any case. Bounded in count and bytes (CH-B10). Claims only for
 * routes whose output answers, so that a node that cannot publish does not keep messages from one
 * that can. Also gives back what waits too long for an output partition, well before peers would
 * suspect it, and reads back doubtful claims.
 */
final class ClaimStep implements Step {
  /** Part of a batch that is claimed at once for routes whose own output does not answer. */
  private static final int PROBING_FRACTION = 4;

  private final NodeContext node;
  private final DelayConfig.Claiming config;
  private final MessageStore messages;
  private final Claims claims;
  private final AdvanceGauge advance;
  private final InstantSource clock;
  private final Monotonic monotonic;
  private final Supplier<Duration> jitter;

  /**
   * What is being given back. Tried again until the store confirms it: the pairs make that safe,
   * and firing any of it after a call that may have taken effect would not be.
   */
  private List<Overflow> leaving = List.of();

  /** Until then some of what was given back stays away: to claim ahead would fetch it at once. */
  private long awayUntilMicros = Long.MIN_VALUE;

  /** The last round gave back what a lane that answers has not taken in time. */
  private boolean overburdened;

  /** How many messages this round has claimed or given back. */
  private int done;

  ClaimStep(
      NodeContext node,
      MessageStore messages,
      Claims claims,
      AdvanceGauge advance,
      Supplier<Duration> jitter) {
    this.node = node;
    this.config = node.config().claiming();
    this.messages = messages;
    this.claims = claims;
    this.advance = advance;
    this.clock = node.clock();
    this.monotonic = node.monotonic();
    this.jitter = jitter;
  }

  @Override
  public String name() {
    return "claim";
  }

  @Override
  public Next runOnce() {
    long startNanos = monotonic.nanos();
    Optional<Incarnation> acting = node.membership().acting();
    if (acting.isEmpty()) {
      return Next.after(config.pollInterval());
    }
    done = 0;
    claims.readBack();
    boolean before = overburdened;
    boolean more = giveBack();
    // What a lane that answers could not take must not be fetched again at once, nor may that be
    // done at full speed. One round without a claim: the others go on.
    if (!overburdened || before) {
      more |= claim(acting.get());
    }
    if (more && !overburdened && !before) {
      return Next.AT_ONCE.having(done);
    }
    Duration spent = Duration.ofNanos(monotonic.nanos() - startNanos);
    return Next.after(config.pollInterval().minus(spent).plus(jitter.get())).having(done);
  }

  private boolean claim(Incarnation incarnation) {
    long nowMicros = EpochMicros.of(clock.instant());
    Room roomAhead = node.holding().roomAhead();
    boolean ahead =
        !config.horizon().isZero() && !roomAhead.isEmpty() && nowMicros >= awayUntilMicros;
    Set<RouteId> routes = node.holding().claimableRoutes();
    boolean more =
        claim(
            incarnation,
            routes,
            ahead,
            ahead ? roomAhead : node.holding().roomDue(),
            config.batch());
    // A peer may reach what this node does not: it claims ahead, so that little is due here.
    Set<RouteId> probing = node.holding().probingRoutes(monotonic.nanos());
    int few = Math.max(1, config.batch() / PROBING_FRACTION);
    claim(incarnation, probing, false, node.holding().roomDue(), few);
    return more;
  }

  private boolean claim(
      Incarnation incarnation, Set<RouteId> routes, boolean ahead, Room room, int most) {
    if (routes.isEmpty() || room.isEmpty()) {
      return false;
    }
    long nowMicros = EpochMicros.of(clock.instant());
    long dueMicros = nowMicros + advance.micros(monotonic.nanos());
    Fence fence = new Fence(incarnation.id(), incarnation.nextStamp(nowMicros));
    ClaimRequest request =
        new ClaimRequest(
            fence,
            routes,
            untilMicros(dueMicros, ahead),
            Math.min(most, room.messages()),
            room.bytes());
    List<Claimed> claimed = claims.claim(incarnation, fence, () -> messages.claim(request));
    if (!claimed.isEmpty()) {
      node.events().claimed(claimed.size());
      done += claimed.size();
    }
    return claimed.size() == request.maxMessages();
  }

  private long untilMicros(long dueMicros, boolean ahead) {
    if (config.horizon().isZero()) {
      return dueMicros;
    }
    // Without room ahead: what comes due before the next two polls, so that the wheel fires it
    // precisely.
    return dueMicros
        + EpochMicros.lengthOf(ahead ? config.horizon() : config.pollInterval().multipliedBy(2));
  }

  /** Returns true when there may be more to give back. */
  private boolean giveBack() {
    long nowMicros = EpochMicros.of(clock.instant());
    if (leaving.isEmpty()) {
      leaving = node.holding().overflow(config.batch(), nowMicros, monotonic.nanos());
    }
    overburdened = leaving.stream().anyMatch(Overflow::answers);
    if (leaving.isEmpty()) {
      return false;
    }
    Map<Duration, List<Claimed>> byDeferral = new LinkedHashMap<>();
    for (Overflow entry : leaving) {
      byDeferral.computeIfAbsent(entry.awayFor(), d -> new ArrayList<>()).add(entry.claimed());
    }
    byDeferral.forEach((deferral, held) -> {
      long untilMicros = nowMicros + EpochMicros.lengthOf(deferral);
      awayUntilMicros = Math.max(awayUntilMicros, untilMicros);
      messages.defer(held, untilMicros);
    });
    byDeferral.values().forEach(node.holding()::dropped);
    int given = leaving.size();
    leaving = List.of();
    node.events().deferred(given);
    done += given;
    return given >= config.batch();
  }
}
