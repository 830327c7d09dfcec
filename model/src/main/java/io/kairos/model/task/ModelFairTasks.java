package io.kairos.model.task;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.task.Fairness;
import io.kairos.engine.task.port.FairEnqueueRequest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Some waiting tasks of each fairness key of a queue of {@link ModelTaskStore}.
 *
 * @param rows those that were chosen, the first of each key before the second of any
 * @param keys those that were looked at, one after the other
 * @param nextAfter the key after which the next search begins when all tasks have fitted
 */
record ModelFairTasks(List<TaskRow> rows, List<String> keys, String nextAfter, boolean isWhole) {
  private static final String NO_KEY = "";

  /** A task and its place among those of its key. */
  private record Place(TaskRow row, int nth) {}

  /**
   * Chooses tasks.
   *
   * @param waiting of the queue, the earliest trigger first
   * @param untilMicros the latest trigger
   */
  static ModelFairTasks of(
      FairEnqueueRequest request, Collection<TaskRow> waiting, long untilMicros, long nowMicros) {
    NavigableMap<String, List<TaskRow>> byKey = new TreeMap<>(FairEnqueueRequest.KEY_ORDER);
    waiting.forEach(
        row -> byKey.computeIfAbsent(key(row.fairness()), _ -> new ArrayList<>()).add(row));
    List<String> round = new ArrayList<>(byKey.tailMap(request.after(), false).keySet());
    round.addAll(byKey.headMap(request.after(), true).keySet());
    boolean isWhole = round.size() <= request.maxKeys();
    List<String> walked = round.stream().limit(request.maxKeys()).toList();
    List<List<TaskRow>> due =
        walked.stream()
            .filter(key -> !request.without().contains(key))
            .map(key -> requireNonNull(byKey.get(key)))
            .filter(rows -> rows.getFirst().triggerMicros <= untilMicros)
            .toList();
    String next =
        walked.isEmpty() ? request.after() : isWhole ? walked.getFirst() : walked.getLast();
    return new ModelFairTasks(chosen(request, due, untilMicros, nowMicros), walked, next, isWhole);
  }

  /**
   * The key after which the next search begins: the one before the first key all of whose tasks
   * were cut. There is one, because some task always fits.
   */
  String nextAfter(List<TaskRow> cut) {
    Set<String> got = new HashSet<>();
    rows.stream().filter(row -> !cut.contains(row)).forEach(row -> got.add(key(row.fairness())));
    return cut.stream()
        .map(row -> keys.indexOf(key(row.fairness())))
        .filter(place -> !got.contains(keys.get(place)))
        .min(Comparator.naturalOrder())
        .map(place -> keys.get(place - 1))
        .orElse(nextAfter);
  }

  private static List<TaskRow> chosen(
      FairEnqueueRequest request, List<List<TaskRow>> due, long untilMicros, long nowMicros) {
    long weights = due.stream().mapToLong(rows -> weight(rows.getFirst().fairness())).sum();
    List<Place> places = new ArrayList<>();
    for (List<TaskRow> rows : due) {
      long share =
          1 + (request.limit() - due.size()) * weight(rows.getFirst().fairness()) / weights;
      int nth = 0;
      for (TaskRow row : rows) {
        if (nth < share && row.triggerMicros <= untilMicros && !row.isTooLateAt(nowMicros)) {
          places.add(new Place(row, nth++));
        }
      }
    }
    places.sort(Comparator.comparingInt(Place::nth));
    return places.stream().map(Place::row).toList();
  }

  private static String key(@Nullable Fairness fairness) {
    return fairness == null ? NO_KEY : fairness.key();
  }

  private static long weight(@Nullable Fairness fairness) {
    return fairness == null ? Fairness.LIGHTEST : fairness.weight();
  }
}
