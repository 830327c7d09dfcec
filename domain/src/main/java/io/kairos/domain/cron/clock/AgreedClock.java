package io.kairos.domain.cron.clock;

import static io.kairos.domain.check.ArgumentCheck.require;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.page.PageArea;
import io.kairos.domain.page.PageId;
import io.kairos.domain.page.ReservedPages;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The common time of the replicas. Each tick carries its sender's clock, and the newest reading of
 * each replica is kept. The agreed time is the latest that f+1 of the recent readings have reached.
 * So it is never ahead of every correct clock: an action may be late, but not early.
 *
 * <ul>
 *   <li>Where faults are Byzantine (n ≥ 3f+1), it is the median of the 2f+1 newest readings: it is
 *       correct, or has a correct reading on each side.
 *   <li>Where replicas only crash (n = 2f+1), it is taken of all readings, at least f+1: the median
 *       while all replicas are there, and the earliest reading when f are gone. So time goes on
 *       without f replicas; but then a clock that is behind is no longer outvoted, and makes time
 *       stand still.
 * </ul>
 *
 * <p>Where the log itself agrees on a time, as one for Byzantine faults does, time is that of the
 * log, and the readings only show which replica's clock is wrong.
 *
 * <p>Time rises strictly from tick to tick; without a later time it rises only by epsilon. Part of
 * the replicated state, in one page, so that a snapshot carries it and a re-execution sees the same
 * times. Nothing is cached.
 */
public final class AgreedClock {
  private static final int HEAD_BYTES = Byte.BYTES + 4 * Long.BYTES;
  private static final int READING_BYTES = Byte.BYTES + 2 * Long.BYTES;
  private static final PageId PAGE = new PageId(PageArea.CLOCK, 0, 0);
  private static final Comparator<Reading> NEWEST_FIRST =
      Comparator.comparingLong(Reading::givenAt).reversed().thenComparingInt(Reading::replica);

  private final ReplicaGroup cluster;
  private final long epsilonMillis;
  private final ReservedPages pages;

  /**
   * A replica's clock.
   *
   * @param givenAt the number of the tick, counting ticks that moved time
   */
  private record Reading(int replica, long millis, long givenAt) {}

  /**
   * The newest reading of a replica's clock, part of the state like the time that it moves.
   *
   * @param ticksSince ticks that have moved time since
   */
  public record KnownReading(ReplicaId replica, Instant at, long ticksSince) {}

  /**
   * Counters that are part of the state, equal on all replicas.
   *
   * @param ticks ticks that moved time
   * @param notGreater ticks among these that had to add epsilon
   * @param illFormed ticks without a usable reading
   */
  public record Counters(long ticks, long notGreater, long illFormed) {}

  private static final class State {
    private boolean isKnown;
    private long lastMillis;
    private long ticks;
    private long notGreater;
    private long illFormed;
    private final @Nullable Reading[] readings;

    State(int replicas) {
      this.readings = new Reading[replicas];
    }
  }

  public AgreedClock(ReplicaGroup cluster, ClockLimits limits, ReservedPages pages) {
    this.cluster = cluster;
    this.epsilonMillis = limits.epsilon().toMillis();
    this.pages = pages;
  }

  /**
   * Returns the last agreed time, for requests that are executed between ticks; {@link
   * AgreedTime#OFF} for none.
   */
  public AgreedTime now() {
    return now(read());
  }

  private static AgreedTime now(State state) {
    return state.isKnown ? AgreedTime.at(state.lastMillis) : AgreedTime.OFF;
  }

  public Counters counters() {
    State state = read();
    return new Counters(state.ticks, state.notGreater, state.illFormed);
  }

  /** The newest reading of each replica that has given one, in the order of their numbers. */
  public List<KnownReading> readings() {
    State state = read();
    List<KnownReading> known = new ArrayList<>();
    for (Reading reading : state.readings) {
      if (reading != null) {
        known.add(
            new KnownReading(
                new ReplicaId(reading.replica()),
                Instant.ofEpochMilli(reading.millis()),
                Math.max(0, state.ticks - reading.givenAt())));
      }
    }
    return known;
  }

  /** Returns true if a reading can be used. */
  public static boolean isWellFormed(long readingMillis) {
    return AgreedTime.At.isInRange(readingMillis);
  }

  /** Counts a tick that should carry a usable reading and does not. */
  public void countIllFormed() {
    State state = read();
    state.illFormed++;
    write(state);
  }

  /**
   * Replaces a replica's reading and does not move time. The reading is as new as that of the tick
   * which moves time next.
   */
  public void note(ReplicaId replica, long readingMillis) {
    State state = read();
    keep(state, replica, readingMillis, state.ticks + 1);
    write(state);
  }

  /**
   * Keeps a reading, moves time and returns it.
   *
   * @param recentTicks the age in such ticks up to which a reading counts
   */
  public AgreedTime advance(ReplicaId replica, long readingMillis, long recentTicks) {
    State state = ticked(replica, readingMillis);
    return moved(state, reached(state, recentTicks));
  }

  /** Keeps a reading, moves time to that of the log and returns it. */
  public AgreedTime advance(ReplicaId replica, long readingMillis, AgreedTime.At logTime) {
    return moved(ticked(replica, readingMillis), OptionalLong.of(logTime.epochMillis()));
  }

  private State ticked(ReplicaId replica, long readingMillis) {
    State state = read();
    state.ticks++;
    keep(state, replica, readingMillis, state.ticks);
    return state;
  }

  private AgreedTime moved(State state, OptionalLong reached) {
    if (reached.isPresent() && (!state.isKnown || reached.getAsLong() > state.lastMillis)) {
      state.isKnown = true;
      state.lastMillis = reached.getAsLong();
    } else if (state.isKnown) {
      state.lastMillis += epsilonMillis;
      state.notGreater++;
    }
    write(state);
    return now(state);
  }

  private static void keep(State state, ReplicaId replica, long readingMillis, long givenAt) {
    require(isWellFormed(readingMillis), "no clock shows ", readingMillis);
    state.readings[replica.number()] = new Reading(replica.number(), readingMillis, givenAt);
  }

  private OptionalLong reached(State state, long recentTicks) {
    List<Reading> recent = new ArrayList<>();
    for (Reading reading : state.readings) {
      if (reading != null && state.ticks - reading.givenAt() <= recentTicks) {
        recent.add(reading);
      }
    }
    int f = cluster.mayFail();
    int enough =
        switch (cluster.faults()) {
          case CRASH -> f + 1;
          case BYZANTINE -> 2 * f + 1;
        };
    if (recent.size() < enough) {
      return OptionalLong.empty();
    }
    if (cluster.faults() == ReplicaGroup.Faults.BYZANTINE) {
      recent.sort(NEWEST_FIRST);
      recent.subList(enough, recent.size()).clear();
    }
    long[] millis = new long[recent.size()];
    for (int i = 0; i < millis.length; i++) {
      millis[i] = recent.get(i).millis();
    }
    Arrays.sort(millis);
    return OptionalLong.of(millis[millis.length - 1 - f]);
  }

  private State read() {
    byte[] kept = pages.read(PAGE).orElse(null);
    return kept == null ? new State(cluster.size()) : decode(kept);
  }

  private State decode(byte[] bytes) {
    ByteBuffer from = ByteBuffer.wrap(bytes);
    State state = new State(cluster.size());
    state.isKnown = from.get() != 0;
    state.lastMillis = from.getLong();
    state.ticks = from.getLong();
    state.notGreater = from.getLong();
    state.illFormed = from.getLong();
    while (from.hasRemaining()) {
      int replica = from.get();
      if (replica >= cluster.size()) {
        throw new IllegalStateException(
            "the clock knows a replica " + replica + " of a cluster of " + cluster.size());
      }
      state.readings[replica] = new Reading(replica, from.getLong(), from.getLong());
    }
    return state;
  }

  private void write(State state) {
    int known = 0;
    for (Reading reading : state.readings) {
      known += reading == null ? 0 : 1;
    }
    ByteBuffer to = ByteBuffer.allocate(HEAD_BYTES + known * READING_BYTES);
    to.put((byte) (state.isKnown ? 1 : 0))
        .putLong(state.lastMillis)
        .putLong(state.ticks)
        .putLong(state.notGreater)
        .putLong(state.illFormed);
    for (Reading reading : state.readings) {
      if (reading != null) {
        to.put((byte) reading.replica()).putLong(reading.millis()).putLong(reading.givenAt());
      }
    }
    pages.write(PAGE, to.array());
  }
}
