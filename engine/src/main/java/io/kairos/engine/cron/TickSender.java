package io.kairos.engine.cron;

import io.kairos.domain.cron.round.TickRotation;
import io.kairos.domain.replica.ReplicaId;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * Decides when one replica ticks for one component. Pure: time and the state of the rounds are
 * parameters.
 *
 * <p>A replica whose turn it is begins the next round one period after it saw the last one begin (a
 * delay, not a rate), and joins a round that another replica has begun. Any other replica asks for
 * the next round when it has seen none begin for two periods. So a round has f+1 ticks as long as
 * they get through, and rounds go on when they do not. A tick that was not executed is sent again
 * after two periods, or after {@link #AGAIN_WITHIN} if that is sooner.
 */
final class TickSender {
  private static final int PATIENCE = 2;
  private static final long AGAIN_WITHIN = Duration.ofSeconds(5).toNanos();

  private final TickRotation rotation;
  private final ReplicaId self;
  private final long periodNanos;
  private long seenRound;
  private long seenAtNanos;
  private long sentRound;
  private long sentAtNanos;

  /**
   * @param round the last round that has begun; 0 for none
   */
  TickSender(TickRotation rotation, ReplicaId self, Duration period, long round, long nowNanos) {
    this.rotation = rotation;
    this.self = self;
    this.periodNanos = period.toNanos();
    this.seenRound = round;
    this.seenAtNanos = nowNanos;
    this.sentRound = round;
    this.sentAtNanos = nowNanos;
  }

  Duration period() {
    return Duration.ofNanos(periodNanos);
  }

  /** Records that a round has begun. */
  void see(long round, long nowNanos) {
    if (round != seenRound) {
      seenRound = round;
      seenAtNanos = nowNanos;
    }
  }

  /**
   * Returns the round to tick for now, if any, and counts it as sent.
   *
   * @param round the last round that has begun
   * @param hasTicked true if a tick of this replica has counted in that round
   */
  OptionalLong due(long round, boolean hasTicked, long nowNanos) {
    see(round, nowNanos);
    if (sentRound < round && !hasTicked && rotation.isInTurn(self, round)) {
      return sent(round, nowNanos);
    }
    return nowNanos - dueNanos() >= 0 ? sent(round + 1, nowNanos) : OptionalLong.empty();
  }

  private OptionalLong sent(long round, long nowNanos) {
    sentRound = round;
    sentAtNanos = nowNanos;
    return OptionalLong.of(round);
  }

  /** The time of the next tick if nothing happens until then. */
  long dueNanos() {
    long next = seenRound + 1;
    long patience = rotation.isInTurn(self, next) ? periodNanos : PATIENCE * periodNanos;
    long due = seenAtNanos + patience;
    long again = sentAtNanos + Math.min(PATIENCE * periodNanos, AGAIN_WITHIN);
    return sentRound >= next && again - due > 0 ? again : due;
  }
}
