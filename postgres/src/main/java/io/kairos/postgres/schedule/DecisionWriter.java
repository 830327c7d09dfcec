package io.kairos.postgres.schedule;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.node.NodeId;
import io.kairos.domain.schedule.definition.Schedule;
import io.kairos.domain.schedule.definition.ScheduleId;
import io.kairos.domain.schedule.fire.ExecutionIds;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.queue.MessageOutput;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.schedule.port.FireReceipt;
import io.kairos.engine.schedule.port.ScheduleWrite;
import io.kairos.engine.task.port.ArrivingTask;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.SqlStatement;
import io.kairos.postgres.task.FiredTasks;
import java.sql.Connection;
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
 * Writes decisions on schedules whose rows are locked, in the decider's transaction. The ledger is
 * written first, because only new entries of the ledger make runs. That takes a few statements,
 * however many schedules there are, and one more for each whose definition changes.
 */
final class DecisionWriter {
  private static final SqlStatement PROGRESS = SqlStatement.load("schedule/progress_write.sql");
  private static final SqlStatement DELETE = SqlStatement.load("schedule/delete.sql");
  private static final SqlStatement TURNS = SqlStatement.load("schedule/turn_write.sql");
  private static final SqlStatement MESSAGES = SqlStatement.load("schedule/message_insert.sql");

  private final Connection connection;
  private final Map<ScheduleId, Schedule> before = new HashMap<>();
  private final Map<ScheduleId, TaskId> turns;
  private final List<ScheduleWrite> writes;

  /**
   * @param before the schedules before the decisions, at least those of {@code writes}
   * @param turns the runs for which the next runs of schedules wait
   */
  DecisionWriter(
      Connection connection,
      List<Schedule> before,
      Map<ScheduleId, TaskId> turns,
      List<ScheduleWrite> writes) {
    this.connection = connection;
    this.turns = turns;
    before.forEach(one -> this.before.put(one.id(), one));
    this.writes = writes;
  }

  FireReceipt run(NodeId node, Duration enqueueTimeout) {
    List<FireLedger.Line> lines = new ArrayList<>();
    for (ScheduleWrite write : writes) {
      ScheduleId id = write.verdict().after().id();
      write.verdict().entries().forEach(entry -> lines.add(new FireLedger.Line(id, entry)));
    }
    List<LedgerEntry> entries = FireLedger.insert(connection, lines);
    Set<TaskId> runs = new HashSet<>();
    for (LedgerEntry entry : entries) {
      TaskId run = entry.run();
      if (run != null) {
        runs.add(run);
      }
    }
    FiredTasks.Stored stored = FiredTasks.write(connection, node, fired(runs), enqueueTimeout);
    turns(stored.turns());
    messages(runs);
    progress();
    for (ScheduleWrite write : writes) {
      define(write);
    }
    return new FireReceipt(writes.size(), entries, stored.receipts());
  }

  private List<FiredTasks.Fired> fired(Set<TaskId> runs) {
    List<FiredTasks.Fired> fired = new ArrayList<>();
    for (ScheduleWrite write : writes) {
      ScheduleId id = write.verdict().after().id();
      List<ArrivingTask> tasks =
          write.tasks().stream().filter(one -> isOf(runs, one.task().id())).toList();
      if (!tasks.isEmpty() || write.verdict().cancelsOthers()) {
        fired.add(
            new FiredTasks.Fired(
                id,
                tasks,
                write.edges().stream().filter(edge -> isOf(runs, edge.successor())).toList(),
                write.verdict().cancelsOthers(),
                write.inTurn(),
                turns.get(id)));
      }
    }
    return fired;
  }

  /** True for a task of one of the runs. */
  private static boolean isOf(Set<TaskId> runs, TaskId task) {
    return runs.contains(task) || runs.contains(ExecutionIds.first(task));
  }

  private void turns(Map<ScheduleId, @Nullable TaskId> changed) {
    if (changed.isEmpty()) {
      return;
    }
    List<Map.Entry<ScheduleId, @Nullable TaskId>> all = List.copyOf(changed.entrySet());
    TURNS
        .on(connection)
        .with("ids", ColumnBatch.uuids(all, one -> one.getKey().value()))
        .with("turns", ColumnBatch.texts(all, Map.Entry::getValue, TaskId::toString))
        .update();
  }

  private void messages(Set<TaskId> runs) {
    Set<String> ids = new HashSet<>();
    runs.forEach(run -> ids.add(run.toString()));
    List<DelayedMessage> messages =
        writes.stream()
            .flatMap(write -> write.messages().stream())
            .filter(message -> ids.contains(message.id().value()))
            .toList();
    if (messages.isEmpty()) {
      return;
    }
    MESSAGES
        .on(connection)
        .with("routes", ColumnBatch.ints(messages, one -> one.route().value()))
        .with("ids", ColumnBatch.texts(messages, message -> message.id().value()))
        .with("deadlines", ColumnBatch.longs(messages, DelayedMessage::dueMicros))
        .with("headers", ColumnBatch.bytes(messages, DelayedMessage::headers))
        .with("keys", ColumnBatch.bytes(messages, DelayedMessage::key))
        .with("values", ColumnBatch.bytes(messages, DelayedMessage::value))
        .with("outputs", ColumnBatch.texts(messages, DelayedMessage::output, MessageOutput::label))
        .update();
  }

  private void progress() {
    List<ScheduleWrite> kept = writes.stream().filter(write -> !write.remove()).toList();
    List<Schedule> after = kept.stream().map(write -> write.verdict().after()).toList();
    if (after.isEmpty()) {
      return;
    }
    PROGRESS
        .on(connection)
        .with("ids", ColumnBatch.uuids(after, one -> one.id().value()))
        .with("statuses", ColumnBatch.texts(after, one -> one.progress().status().name()))
        .with("notes", ColumnBatch.texts(after, one -> one.progress().note()))
        .with("sinces", ColumnBatch.longs(after, one -> EpochMicros.of(one.progress().since())))
        .with(
            "decided_tos",
            ColumnBatch.longs(after, one -> EpochMicros.of(one.progress().decidedTo())))
        .with(
            "next_ats",
            ColumnBatch.longsOrNulls(after, one -> DefinitionRows.micros(one.progress().nextAt())))
        .with("runs", ColumnBatch.longs(after, one -> one.progress().runs()))
        .with(
            "last_runs",
            ColumnBatch.texts(after, one -> one.progress().lastRun(), TaskId::toString))
        .with("time_zone_rules", ColumnBatch.texts(kept, ScheduleWrite::timeZoneRules))
        .update();
  }

  private void define(ScheduleWrite write) {
    Schedule after = write.verdict().after();
    if (write.remove()) {
      remove(connection, after.id().value());
      return;
    }
    Schedule former =
        requireNonNull(before.get(after.id()), "a decision on a schedule that was not read");
    if (former.generation() != after.generation()) {
      if (DefinitionRows.missing(connection, after.definition().rule().calendarNames())
          .isPresent()) {
        throw new StoreUnavailable("a calendar of the schedule is just being deleted");
      }
      DefinitionRows.write(connection, after);
    }
  }

  /** Removes a schedule that is locked. */
  static void remove(Connection connection, UUID id) {
    DELETE.on(connection).with("id", id).update();
  }
}
