package io.kairos.edge.schedule;

import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.ListPlannedFiresResponse;
import io.kairos.api.v1.ListPlannedFiresResponse.Part;
import io.kairos.api.v1.ListPlannedFiresResponse.PlannedRun;
import io.kairos.domain.time.EpochMicros;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Iterator;
import java.util.PriorityQueue;

/**
 * Merges the fire times of schedules within a time, the earliest first: lists the first ones, and
 * counts all by parts of the time. For one thread and one answer.
 */
final class PlannedFires {
  /** Most fire times of one schedule, so that one of every second leaves room for others. */
  private static final int MOST_OF_ONE = 10_000;

  private static final int MOST_IN_ALL = 200_000;

  private final Instant from;
  private final Duration step;
  private final long[] fires;
  private final int[] schedules;
  private final PriorityQueue<Line> lines =
      new PriorityQueue<>(
          Comparator.comparing((Line line) -> line.at).thenComparing(line -> line.schedule));
  private boolean isIncomplete;

  /**
   * Begins with no schedule.
   *
   * @param to end, exclusive; after {@code from}
   */
  PlannedFires(Instant from, Instant to) {
    Duration length = Duration.between(from, to);
    this.from = from;
    this.step = step(length);
    int parts = (int) Math.ceilDiv(EpochMicros.lengthOf(length), EpochMicros.lengthOf(step));
    this.fires = new long[parts];
    this.schedules = new int[parts];
  }

  private static Duration step(Duration length) {
    if (length.compareTo(Duration.ofHours(1)) <= 0) {
      return Duration.ofMinutes(1);
    }
    return length.compareTo(Duration.ofHours(25)) <= 0
        ? Duration.ofMinutes(30)
        : Duration.ofDays(1);
  }

  /**
   * Adds a schedule.
   *
   * @param times within the time, in order
   * @param left how often the schedule may still fire
   */
  void add(String schedule, Iterator<Instant> times, long left) {
    Line line = new Line(schedule, times, left);
    if (line.advance()) {
      lines.add(line);
    }
  }

  /** Says that not every schedule was added. */
  void leaveOut() {
    isIncomplete = true;
  }

  /**
   * Counts.
   *
   * @param listed how many fire times are listed at most
   */
  ListPlannedFiresResponse answer(int listed) {
    ListPlannedFiresResponse.Builder answer = ListPlannedFiresResponse.newBuilder();
    int counted = 0;
    for (; !lines.isEmpty() && counted < MOST_IN_ALL; counted++) {
      Line line = lines.remove();
      count(line);
      if (counted < listed) {
        answer.addFires(
            PlannedRun.newBuilder().setSchedule(line.schedule).setFireTime(ProtoTime.of(line.at)));
      }
      if (line.advance()) {
        lines.add(line);
      }
    }
    for (int i = 0; i < fires.length; i++) {
      answer.addParts(
          Part.newBuilder()
              .setAt(ProtoTime.of(from.plus(step.multipliedBy(i))))
              .setFires(fires[i])
              .setSchedules(schedules[i]));
    }
    return answer.setIncomplete(isIncomplete || !lines.isEmpty()).build();
  }

  private void count(Line line) {
    long micros = EpochMicros.of(line.at) - EpochMicros.of(from);
    int part = (int) (micros / EpochMicros.lengthOf(step));
    fires[part]++;
    if (part != line.part) {
      line.part = part;
      schedules[part]++;
    }
  }

  /** A schedule at its next fire time. */
  private final class Line {
    private final String schedule;
    private final Iterator<Instant> times;
    private final long left;
    private int taken;
    private Instant at = Instant.MIN;

    /** The part of the fire time before; none at first. */
    private int part = -1;

    Line(String schedule, Iterator<Instant> times, long left) {
      this.schedule = schedule;
      this.times = times;
      this.left = left;
    }

    boolean advance() {
      if (taken == left || !times.hasNext()) {
        return false;
      }
      if (taken == MOST_OF_ONE) {
        isIncomplete = true;
        return false;
      }
      taken++;
      at = times.next();
      return true;
    }
  }
}
