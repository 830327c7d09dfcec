package io.kairos.model.task;

import static java.util.Objects.requireNonNullElse;

import io.kairos.domain.task.Fairness;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.CollectionName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.operator.ChangeRequest;
import io.kairos.engine.task.port.operator.FailureGroup;
import io.kairos.engine.task.port.operator.ListQuery;
import io.kairos.engine.task.port.operator.RedriveRequest;
import io.kairos.engine.task.port.operator.TaskView;
import io.kairos.engine.task.port.operator.TaskView.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The conditions of {@link ModelTaskStore}'s searches. Without state. */
final class ModelSearch {
  private ModelSearch() {}

  /** True when a task matches the query, which says nothing of the page, but for the schedule. */
  static boolean matches(ListQuery query, TaskRow row, TaskView view) {
    ListQuery.Search search = query.search();
    return query.states().contains(row.state())
        && isWithin(row.dueMicros, query.fromMicros(), query.toMicros())
        && isAnyOr(query.handler(), view.queue().handler())
        && isAnyOr(query.collection(), view.details().collection())
        && isAnyOr(query.key(), view.details().key())
        && (search.from() == null || row.id().compareTo(search.from()) >= 0)
        && row.attempt() >= search.minAttempts()
        && row.failedWith(search.errorClass(), search.fingerprint())
        && (!search.isForEnded()
            || (row.state().isFinished()
                && isWithin(row.finishedMicros, search.endedFromMicros(), search.endedToMicros())))
        && isAnyOr(search.priority(), view.queue().priority())
        && isAnyOr(search.batch(), row.batch())
        && hasText(search.text().toLowerCase(Locale.ROOT), row, view);
  }

  private static boolean hasText(String text, TaskRow row, TaskView view) {
    CollectionName collection = view.details().collection();
    Fairness fairness = view.details().fairness();
    return text.isEmpty()
        || List.of(
                view.id().toString(),
                view.details().key() == null ? "" : view.details().key().value(),
                collection == null ? "" : collection.value(),
                fairness == null ? "" : fairness.key(),
                row.result().text(),
                row.lastError())
            .stream()
            .anyMatch(one -> one.toLowerCase(Locale.ROOT).contains(text));
  }

  static boolean matches(
      ChangeRequest request, TaskRow row, Function<TaskRow, TaskHandler> handlers, long now) {
    ChangeRequest.Filter filter = request.filter();
    return filter.states().contains(row.state())
        && isWithin(row.dueMicros, filter.fromMicros(), filter.toMicros())
        && isAnyOr(filter.handler(), handlers.apply(row))
        && isAnyOr(filter.collection(), row.collection())
        && isAnyOr(filter.key(), row.key())
        && (filter.after() == null || row.id().compareTo(filter.after()) > 0)
        && row.attempt() >= filter.minAttempts()
        && row.failedWith(filter.errorClass(), filter.fingerprint())
        && row.createdMicros() <= requireNonNullElse(filter.acceptedUntilMicros(), now)
        && switch (request.action()) {
          case ChangeRequest.Cancel() -> true;
          case ChangeRequest.Reschedule(Long start, _) ->
              row.state() != TaskState.PROCESSING
                  && !row.isTooLateAt(requireNonNullElse(start, now));
        };
  }

  private static boolean isWithin(long micros, @Nullable Long from, @Nullable Long to) {
    return (from == null || micros >= from) && (to == null || micros < to);
  }

  private static boolean isAnyOr(@Nullable Object wanted, @Nullable Object actual) {
    return wanted == null || Objects.equals(wanted, actual);
  }

  private record GroupKey(TaskHandler handler, String fingerprint) {}

  static FailureGroup.Listing groups(
      FailureGroup.Query query,
      Collection<TaskRow> rows,
      Function<TaskRow, TaskHandler> handlers,
      long now) {
    Map<GroupKey, List<TaskRow>> groups = new LinkedHashMap<>();
    rows.stream()
        .filter(row -> RedriveRequest.REDRIVABLE.contains(row.state()))
        .filter(row -> isWithin(row.finishedMicros, query.endedFromMicros(), null))
        .filter(row -> isAnyOr(query.handler(), handlers.apply(row)))
        .sorted(
            Comparator.<TaskRow>comparingLong(row -> row.finishedMicros)
                .thenComparing(TaskRow::id)
                .reversed())
        .forEach(row ->
            groups
                .computeIfAbsent(
                    new GroupKey(
                        handlers.apply(row),
                        row.lastFailure().map(Failure::fingerprint).orElse("")),
                    _ -> new ArrayList<>())
                .add(row));
    List<FailureGroup> found =
        groups.entrySet().stream()
            .limit(query.limit())
            .map(group -> group(group.getKey(), group.getValue(), now))
            .toList();
    return new FailureGroup.Listing(found, groups.size() > found.size());
  }

  private static FailureGroup group(GroupKey key, List<TaskRow> rows, long now) {
    int[] byHour = new int[FailureGroup.HOURS];
    for (TaskRow row : rows) {
      long ago = (now - row.finishedMicros) / EpochMicros.lengthOf(Duration.ofHours(1));
      if (ago < FailureGroup.HOURS) {
        byHour[FailureGroup.HOURS - 1 - (int) ago]++;
      }
    }
    TaskRow latest = rows.getFirst();
    return new FailureGroup(
        key.handler(),
        key.fingerprint(),
        latest.lastFailure().map(Failure::errorClass).orElse(""),
        latest.lastError(),
        rows.size(),
        ended(rows.getLast()),
        ended(latest),
        rows.stream().limit(FailureGroup.MOST_SAMPLES).map(TaskRow::id).toList(),
        Arrays.stream(byHour).boxed().toList());
  }

  private static Instant ended(TaskRow row) {
    return EpochMicros.toInstant(row.finishedMicros);
  }
}
