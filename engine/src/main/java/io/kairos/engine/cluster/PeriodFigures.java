package io.kairos.engine.cluster;

import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The figures of a node, or of all nodes together, in a period.
 *
 * @param failedAttempts attempts that failed, whether or not another follows
 * @param givenUp tasks that ended dead or failed for good
 * @param lapsedLeases tasks taken from workers and nodes that were not heard of in time
 * @param fires fire times that were decided to fire
 * @param skippedFires fire times that were skipped; a range that was not counted counts once
 * @param putOff schedules that could not be fired and were put off
 * @param deadLetters records that were parked, by route; routes without any are absent
 * @param hiccup the largest pause of a process; null where it is not measured
 */
public record PeriodFigures(
    WorkFigures tasks,
    WorkFigures messages,
    long failedAttempts,
    long givenUp,
    long lapsedLeases,
    long fires,
    long skippedFires,
    long putOff,
    Map<String, Long> deadLetters,
    @Nullable Duration hiccup) {
  /** Nothing was done. */
  public static final PeriodFigures NONE =
      new PeriodFigures(WorkFigures.NONE, WorkFigures.NONE, 0, 0, 0, 0, 0, 0, Map.of(), null);

  private static final int MOST_ROUTES = 20;

  public PeriodFigures {
    deadLetters = Map.copyOf(deadLetters);
  }

  /** Figures of tasks alone. */
  public static PeriodFigures ofTasks(
      WorkFigures tasks, long failedAttempts, long givenUp, long lapsedLeases) {
    return new PeriodFigures(
        tasks, WorkFigures.NONE, failedAttempts, givenUp, lapsedLeases, 0, 0, 0, Map.of(), null);
  }

  /** Figures of messages alone. */
  public static PeriodFigures ofMessages(WorkFigures messages, Map<String, Long> deadLetters) {
    return new PeriodFigures(WorkFigures.NONE, messages, 0, 0, 0, 0, 0, 0, deadLetters, null);
  }

  /** Figures of schedules alone. */
  public static PeriodFigures ofSchedules(long fires, long skippedFires, long putOff) {
    return new PeriodFigures(
        WorkFigures.NONE, WorkFigures.NONE, 0, 0, 0, fires, skippedFires, putOff, Map.of(), null);
  }

  /** A pause of the process. */
  public static PeriodFigures ofHiccup(Duration hiccup) {
    return new PeriodFigures(
        WorkFigures.NONE, WorkFigures.NONE, 0, 0, 0, 0, 0, 0, Map.of(), hiccup);
  }

  /** With as many routes as a node tells: those with the most dead letters. */
  PeriodFigures bounded() {
    if (deadLetters.size() <= MOST_ROUTES) {
      return this;
    }
    return new PeriodFigures(
        tasks,
        messages,
        failedAttempts,
        givenUp,
        lapsedLeases,
        fires,
        skippedFires,
        putOff,
        deadLetters.entrySet().stream()
            .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
            .limit(MOST_ROUTES)
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)),
        hiccup);
  }

  /** The sum of two nodes, or of two periods of one. */
  public PeriodFigures plus(PeriodFigures other) {
    Map<String, Long> letters = new TreeMap<>(deadLetters);
    other.deadLetters.forEach((route, count) -> letters.merge(route, count, Long::sum));
    return new PeriodFigures(
        tasks.plus(other.tasks),
        messages.plus(other.messages),
        failedAttempts + other.failedAttempts,
        givenUp + other.givenUp,
        lapsedLeases + other.lapsedLeases,
        fires + other.fires,
        skippedFires + other.skippedFires,
        putOff + other.putOff,
        letters,
        WorkFigures.longest(hiccup, other.hiccup));
  }
}
