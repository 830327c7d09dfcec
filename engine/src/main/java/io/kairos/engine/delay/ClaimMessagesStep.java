package io.kairos.engine.delay;

import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.delay.memory.MessageHolding.Overflow;
import io.kairos.engine.delay.memory.MessageHolding.Room;
import io.kairos.engine.delay.port.ClaimRequest;
import io.kairos.engine.delay.port.ClaimedMessage;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.delay.setup.DelayConfig;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.node.NodeIncarnation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Claims waiting messages in due order, bounded in count and bytes. Messages due within the horizon
 * are claimed while memory has room for claims ahead; otherwise only messages due before the next
 * two polls are claimed. Routes whose output does not answer get small claims of due messages only,
 * so that a node that cannot publish does not keep messages from one that can. The step also gives
 * back messages that wait too long for an output partition, well before peers would suspect this
 * node, and reads back claims of unknown outcome.
 */
final class ClaimMessagesStep {
  /** The largest claim for routes whose own output does not answer is the batch divided by this. */
  private static final int PROBING_FRACTION = 4;

  private final DelayContext node;
  private final DelayConfig.Claiming config;
  private final MessageStore messages;
  private final MessageClaims claims;
  private final AdvanceGauge advance;
  private final Supplier<Duration> jitter;

  /**
   * Messages that are being given back, until the store confirms it. Repeating the call is safe,
   * because the store compares fences. Firing a message after a call that may have taken effect
   * would not be safe.
   */
  private List<Overflow> leaving = List.of();

  /**
   * Nothing is claimed ahead before this time, because that would fetch deferred messages again at
   * once.
   */
  private long awayUntilMicros = Long.MIN_VALUE;

  /** True when the last round gave back messages of a lane that answers but is too slow. */
  private boolean overburdened;

  /** Number of messages that this round has claimed or given back. */
  private int done;

  ClaimMessagesStep(
      DelayContext node,
      MessageStore messages,
      MessageClaims claims,
      AdvanceGauge advance,
      Supplier<Duration> jitter) {
    this.node = node;
    this.config = node.config().claiming();
    this.messages = messages;
    this.claims = claims;
    this.advance = advance;
    this.jitter = jitter;
  }

  NextRound runOnce() {
    long startNanos = node.monotonic().nanos();
    Optional<NodeIncarnation> acting = node.membership().acting();
    if (acting.isEmpty()) {
      return NextRound.after(config.pollInterval());
    }
    done = 0;
    claims.readBack();
    boolean before = overburdened;
    boolean more = giveBack();
    // After giving back messages of an answering lane, one round goes without a claim, so that they
    // are not fetched again at once; the rounds after it claim, but not at full speed.
    if (!overburdened || before) {
      more |= claim(acting.get());
    }
    if (more && !overburdened && !before) {
      return NextRound.AT_ONCE.having(done);
    }
    Duration spent = Duration.ofNanos(node.monotonic().nanos() - startNanos);
    return NextRound.after(config.pollInterval().minus(spent).plus(jitter.get())).having(done);
  }

  private boolean claim(NodeIncarnation incarnation) {
    long nowMicros = EpochMicros.of(node.clock().instant());
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
    // A peer that can reach the output claims ahead, so that little of it is due here.
    Set<RouteId> probing = node.holding().probingRoutes(node.monotonic().nanos());
    int few = Math.max(1, config.batch() / PROBING_FRACTION);
    claim(incarnation, probing, false, node.holding().roomDue(), few);
    return more;
  }

  private boolean claim(
      NodeIncarnation incarnation, Set<RouteId> routes, boolean ahead, Room room, int most) {
    if (routes.isEmpty() || room.isEmpty()) {
      return false;
    }
    long nowMicros = EpochMicros.of(node.clock().instant());
    long dueMicros = nowMicros + advance.micros(node.monotonic().nanos());
    Fence fence = new Fence(incarnation.id(), incarnation.nextStamp(nowMicros));
    ClaimRequest request =
        new ClaimRequest(
            fence,
            routes,
            untilMicros(dueMicros, ahead),
            Math.min(most, room.messages()),
            room.bytes());
    List<ClaimedMessage> claimed = claims.claim(incarnation, fence, () -> messages.claim(request));
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
    // Claiming what is due before the next two polls lets the wheel fire it precisely.
    return dueMicros
        + EpochMicros.lengthOf(ahead ? config.horizon() : config.pollInterval().multipliedBy(2));
  }

  /** Gives one batch back. Returns true when there may be more to give back. */
  private boolean giveBack() {
    long nowMicros = EpochMicros.of(node.clock().instant());
    if (leaving.isEmpty()) {
      leaving = node.holding().overflow(config.batch(), nowMicros, node.monotonic().nanos());
    }
    overburdened = leaving.stream().anyMatch(Overflow::answers);
    if (leaving.isEmpty()) {
      return false;
    }
    Map<Duration, List<ClaimedMessage>> byDeferral = new LinkedHashMap<>();
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
