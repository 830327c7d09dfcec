package io.kairos.domain.task.limit;

import io.kairos.domain.task.queue.TaskQueueLimit;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * Who may begin under the limit of one name, while its use is locked. Tasks that were refused stand
 * in a line. They sleep there until they are woken, with a turn: a time by which there is a place
 * and a token for them. A task that is not woken begins only if there is room for all in the line
 * before it, so that none in the line is overtaken for good. A woken task that does not come within
 * {@link #GRACE} of its turn, because it is paused for instance, has lost it.
 *
 * <p>A task with several limits stands in one line at a time. With a turn of any of them it needs
 * just a free place of the others, also one that is kept for another. So it is refused only by a
 * limit that is used up, whose next end or token wakes it: two that keep a place which the other
 * one needs do not hold up each other. Its turn it then gives up at once. Used by one thread.
 */
public final class LimitRoom {
  /** How long a turn is kept for a woken task. */
  public static final Duration GRACE = Duration.ofSeconds(5);

  /** How far ahead turns are given. */
  public static final Duration AHEAD = Duration.ofSeconds(2);

  private static final long AHEAD_MICROS = AHEAD.toNanos() / 1_000;
  private static final double MICROS = 1_000_000;
  private static final double ROUNDING = 1e-6;

  private final double perMicro;
  private long places;
  private double tokens;
  private long asleep;
  private long awake;
  private long late;

  /**
   * @param running tasks that run
   * @param tokens as the rate has left them now; ignored without a rate
   * @param asleep tasks in the line that sleep
   * @param awake tasks in the line that have a turn
   */
  public LimitRoom(TaskQueueLimit limit, long running, double tokens, long asleep, long awake) {
    Integer most = limit.maxRunning();
    Double perSecond = limit.perSecond();
    this.places = most == null ? Long.MAX_VALUE : Math.max(0, most - running);
    this.perMicro = perSecond == null ? 0 : perSecond / MICROS;
    this.tokens = perSecond == null ? Double.MAX_VALUE : tokens;
    this.asleep = asleep;
    this.awake = awake;
  }

  /**
   * Returns the tokens of a bucket.
   *
   * @param tokens what it had; a bucket that was never used is full
   * @param micros time since then
   */
  public static double tokens(TaskQueueLimit limit, double tokens, long micros) {
    Double perSecond = limit.perSecond();
    return perSecond == null
        ? 0
        : Math.min(limit.size(), tokens + perSecond * Math.max(0, micros) / MICROS);
  }

  private boolean isRated() {
    return perMicro > 0;
  }

  private long begins() {
    return Math.min(places, isRated() ? (long) (tokens + ROUNDING) : Long.MAX_VALUE);
  }

  /**
   * Returns true if a task may begin.
   *
   * @param isWoken true for a task that has a turn, in this line or another
   */
  public boolean admits(boolean isWoken) {
    return begins() > (isWoken ? 0 : asleep + awake);
  }

  /**
   * Takes a place and a token for a task that was admitted.
   *
   * @param isWoken true for a task of this line that has a turn
   */
  public void take(boolean isWoken) {
    places--;
    tokens--;
    leave(isWoken);
  }

  /** A task of this line that had a turn is refused by another of its limits. */
  public void giveUp() {
    leave(true);
  }

  /** One that comes after its turn was lost is not counted any more. */
  private void leave(boolean isWoken) {
    awake = Math.max(0, awake - (isWoken ? 1 : 0));
  }

  /**
   * Lets a task that was refused stand in the line.
   *
   * @param isWoken true for a task of this line that had a turn
   * @return in how many microseconds its turn is; empty when it sleeps until it is woken
   */
  public OptionalLong refuse(boolean isWoken) {
    leave(isWoken);
    boolean isBehind = !isWoken && asleep > 0;
    if (!isRated() || isBehind || places <= awake) {
      asleep++;
      return OptionalLong.empty();
    }
    // A woken task that came a little early is before those whose turn is to come.
    long micros = turn(isWoken ? late++ : awake);
    if (micros > AHEAD_MICROS) {
      asleep++;
      return OptionalLong.empty();
    }
    awake++;
    return OptionalLong.of(micros);
  }

  /** How many of the tasks that sleep have a turn within {@link #AHEAD}. */
  public int toWake(int most) {
    long woken = Math.min(Math.min(most, asleep), places - awake);
    if (isRated()) {
      woken = Math.min(woken, (long) (tokens + perMicro * AHEAD_MICROS - awake));
    }
    return (int) Math.max(0, woken);
  }

  /**
   * Returns in how many microseconds the turn is of one that is woken now.
   *
   * @param nth from 0
   */
  public long turnOfWoken(int nth) {
    return isRated() ? turn(awake + nth) : 0;
  }

  private long turn(long before) {
    return (long) Math.max(0, Math.ceil((before + 1 - tokens - ROUNDING) / perMicro));
  }
}
