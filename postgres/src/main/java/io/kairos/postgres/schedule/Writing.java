package io.kairos.postgres.schedule;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.node.NodeId;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.schedule.fire.Progress;
import io.kairos.domain.schedule.fire.Schedule;
import io.kairos.domain.schedule.fire.ScheduleId;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.schedule.port.Deed;
import io.kairos.engine.schedule.port.Fired;
import io.kairos.engine.task.port.Arrival;
import io.kairos.engine.task.port.Receipt;
import io.kairos.postgres.sql.Batch;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Sql;
import io.kairos.postgres.task.FiredTasks;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Writes what was decided of schedules whose rows are locked, in the decider's transaction: the
 * ledger first, because only of what is new there runs are made. A few statements, however many
 * schedules; one more for each whose definition changes.
 */
final class Writing {
  private static final Sql PROGRESS = Sql.load(Writing.class, "progress_write.sql");
  private static final Sql DELETE = Sql.load(Writing.class, "delete.sql");
  private static final Sql MESSAGES = Sql.load(Writing.class, "message_insert.sql");

  private final Connection connection;
  private final Map<ScheduleId, Schedule> before = new HashMap<>();
  private final List<Deed> deeds;

  /**
   * @param before the schedules as they were, among them those of the deeds
   */
  Writing(Connection connection, List<Schedule> before, List<Deed> deeds) {
    this.connection = connection;
    before.forEach(one -> this.before.put(one.id(), one));
    this.deeds = deeds;
  }

  Fired run(NodeId node, Duration enqueueTimeout) throws SQLException {
    List<Ledger.Line> lines = new ArrayList<>();
    for (Deed deed : deeds) {
      ScheduleId id = deed.verdict().after().id();
      deed.verdict().entries().forEach(entry -> lines.add(new Ledger.Line(id, entry)));
    }
    Set<Ledger.Identity> fresh = Ledger.insert(connection, lines);
    List<LedgerEntry> entries = new ArrayList<>();
    Set<TaskId> runs = new HashSet<>();
    for (Ledger.Line line : lines) {
      if (fresh.contains(line.identity())) {
        entries.add(line.entry());
        TaskId run = line.entry().run();
        if (run != null) {
          runs.add(run);
        }
      }
    }
    List<List<Arrival>> tasks = tasks(runs);
    cancel(tasks);
    Map<TaskId, Receipt> receipts = FiredTasks.insert(connection, node, tasks, enqueueTimeout);
    messages(runs);
    progress();
    for (Deed deed : deeds) {
      define(deed);
    }
    return new Fired(deeds.size(), entries, receipts);
  }

  private void cancel(List<List<Arrival>> next) throws SQLException {
    List<ScheduleId> cancelled =
        deeds.stream()
            .filter(deed -> deed.verdict().cancelsOthers())
            .map(deed -> deed.verdict().after().id())
            .toList();
    if (!cancelled.isEmpty()) {
      FiredTasks.cancel(connection, cancelled, next);
    }
  }

  private List<List<Arrival>> tasks(Set<TaskId> runs) {
    return deeds.stream()
        .map(deed -> deed.tasks().stream().filter(task -> runs.contains(task.task().id())).toList())
        .filter(tasks -> !tasks.isEmpty())
        .toList();
  }

  private void messages(Set<TaskId> runs) throws SQLException {
    Set<String> ids = new HashSet<>();
    runs.forEach(run -> ids.add(run.toString()));
    List<DelayedMessage> messages =
        deeds.stream()
            .flatMap(deed -> deed.messages().stream())
            .filter(message -> ids.contains(message.id().value()))
            .toList();
    if (messages.isEmpty()) {
      return;
    }
    try (Call call =
        MESSAGES
            .on(connection)
            .with(
                "routes",
                BinaryArray.ints(messages.stream().mapToInt(one -> one.route().value()).toArray()))
            .with("ids", Batch.texts(messages, message -> message.id().value()))
            .with(
                "deadlines",
                BinaryArray.longs(messages.stream().mapToLong(DelayedMessage::dueMicros).toArray()))
            .with("headers", Batch.bytes(messages, DelayedMessage::headers))
            .with("keys", Batch.bytes(messages, DelayedMessage::key))
            .with("values", Batch.bytes(messages, DelayedMessage::value))
            .with(
                "outputs",
                Batch.texts(
                    messages,
                    message -> message.output() == null ? null : message.output().label()))) {
      call.update();
    }
  }

  private void progress() throws SQLException {
    List<Deed> kept = deeds.stream().filter(deed -> !deed.remove()).toList();
    List<Schedule> after = kept.stream().map(deed -> deed.verdict().after()).toList();
    if (after.isEmpty()) {
      return;
    }
    try (Call call =
        PROGRESS
            .on(connection)
            .with(
                "ids",
                BinaryArray.uuids(after.stream().map(one -> one.id().value()).toArray(UUID[]::new)))
            .with("statuses", Batch.texts(after, one -> one.progress().status().name()))
            .with("notes", Batch.texts(after, one -> one.progress().note()))
            .with("sinces", Batch.longs(after, one -> EpochMicros.of(one.progress().since())))
            .with(
                "decided_tos",
                Batch.longs(after, one -> EpochMicros.of(one.progress().decidedTo())))
            .with(
                "next_ats", Batch.longs(after, one -> Definitions.micros(one.progress().nextAt())))
            .with("runs", Batch.longs(after, one -> one.progress().runs()))
            .with("last_runs", Batch.texts(after, one -> text(one.progress())))
            .with("time_zone_rules", Batch.texts(kept, Deed::timeZoneRules))) {
      call.update();
    }
  }

  private static @Nullable String text(Progress progress) {
    return progress.lastRun() == null ? null : progress.lastRun().toString();
  }

  private void define(Deed deed) throws SQLException {
    Schedule after = deed.verdict().after();
    if (deed.remove()) {
      remove(connection, after.id().value());
      return;
    }
    Schedule former =
        requireNonNull(before.get(after.id()), "a deed of a schedule that was not shown");
    if (former.generation() != after.generation()) {
      if (Definitions.missing(connection, after.definition().rule().calendarNames()).isPresent()) {
        throw new StoreUnavailable("a calendar of the schedule is just being deleted");
      }
      Definitions.write(connection, after);
    }
  }

  /** A schedule that is locked. */
  static void remove(Connection connection, UUID id) throws SQLException {
    try (Call call = DELETE.on(connection).with("id", id)) {
      call.update();
    }
  }
}
