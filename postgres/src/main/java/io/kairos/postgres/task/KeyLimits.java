package io.kairos.postgres.task;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.limit.LimitName;
import io.kairos.domain.task.limit.LimitRoom;
import io.kairos.domain.task.limit.TaskLimits;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.TaskQueueLimit;
import io.kairos.domain.time.EpochMicros;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlStatement;
import io.kairos.postgres.task.row.FencedRows;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Limits by key in a transaction that claims or ends tasks which name some. Their uses are locked
 * in the order of names, after ordering keys and before the limits of queues. That limits are set,
 * removed or counted anew waits for such transactions, and they for it: so no task that begins or
 * ends is overlooked. Used once.
 */
final class KeyLimits {
  private static final SqlStatement SHARE = SqlStatement.load("task/key_limit_share.sql");
  private static final SqlStatement INSERT = SqlStatement.load("task/key_use_insert.sql");
  private static final SqlStatement LOCK = SqlStatement.load("task/key_use_lock.sql");
  private static final SqlStatement LINE = SqlStatement.load("task/key_line.sql");
  private static final SqlStatement WOKEN = SqlStatement.load("task/key_woken.sql");
  private static final SqlStatement UPDATE = SqlStatement.load("task/key_use_update.sql");
  private static final SqlStatement PUT = SqlStatement.load("task/key_wait_put.sql");
  private static final SqlStatement DONE = SqlStatement.load("task/key_wait_done.sql");
  private static final SqlStatement LAPSED = SqlStatement.load("task/key_wait_lapsed.sql");
  private static final SqlStatement WAKE = SqlStatement.load("task/key_wake.sql");

  /** Up to how many tasks in a line are counted; so many places may be free at once. */
  private static final int MOST_COUNTED = 1_000;

  /** Tasks of one name that one transaction wakes. */
  private static final int MOST_WOKEN = 100;

  /**
   * Tasks at the front of a line that may be in the way, as they are paused or have left it. A
   * sweep clears away more than a transaction that claims or ends tasks.
   */
  private static final int SPARE = 10;

  private static final int SPARE_OF_SWEEP = 1_000;

  /** Of a sweep that knows of queues whose tasks do not come. */
  private static final int SPARE_OF_UNSERVED = 2_000;

  private final Connection connection;

  /** The uses of those names that are limited. */
  private final NavigableMap<LimitName, Use> uses;

  private final Map<LimitName, Line> lines = new HashMap<>();
  private final Map<TaskId, LimitName> woken = new HashMap<>();
  private final List<Refused> refused = new ArrayList<>();

  /** Those of which a task has given up its turn, as another of its limits has refused it. */
  private final NavigableMap<LimitName, LimitRoom> givenUp = new TreeMap<>();

  /**
   * A limit and its use.
   *
   * @param tokens null for a bucket that was never used
   */
  private record Use(TaskQueueLimit limit, int running, @Nullable Double tokens, long atMicros) {
    double tokens(long nowMicros) {
      Double had = tokens;
      return had == null ? limit.size() : LimitRoom.tokens(limit, had, nowMicros - atMicros);
    }

    boolean isRated() {
      return limit.perSecond() != null;
    }
  }

  private record Line(long asleep, long awake, long nowMicros, LimitRoom room) {}

  private record Refused(FencedTask task, LimitName by, @Nullable Long delayMicros) {}

  private KeyLimits(Connection connection, NavigableMap<LimitName, Use> uses) {
    this.connection = connection;
    this.uses = uses;
  }

  /** Locks the uses of all limits that these tasks name. */
  static KeyLimits lock(Connection connection, Collection<TaskLimits> tasks) {
    NavigableMap<LimitName, Use> uses = new TreeMap<>();
    Set<LimitName> names = new TreeSet<>();
    tasks.forEach(task -> names.addAll(task.names()));
    if (!names.isEmpty()) {
      SHARE.on(connection).execute();
      BinaryArray sorted = ColumnBatch.texts(names, LimitName::value);
      INSERT.on(connection).with("names", sorted).update();
      LOCK.on(connection).with("names", sorted).each(row -> uses.put(name(row), use(row)));
    }
    return new KeyLimits(connection, uses);
  }

  private static LimitName name(ResultSet row) throws SQLException {
    return new LimitName(NonNullColumns.text(row, 1));
  }

  private static Use use(ResultSet row) throws SQLException {
    return new Use(limit(row, 2), row.getInt(5), (Double) row.getObject(6), row.getLong(7));
  }

  /** Reads the most running, the rate and the burst. */
  static TaskQueueLimit limit(ResultSet row, int first) throws SQLException {
    return new TaskQueueLimit(
        (Integer) row.getObject(first),
        (Double) row.getObject(first + 1),
        (Integer) row.getObject(first + 2));
  }

  private BinaryArray names() {
    return ColumnBatch.texts(uses.keySet(), LimitName::value);
  }

  private void readLines() {
    LINE.on(connection)
        .with("names", names())
        .with("most", MOST_COUNTED)
        .with("grace_micros", EpochMicros.lengthOf(LimitRoom.GRACE))
        .each(row -> {
          LimitName name = name(row);
          Use use = requireNonNull(uses.get(name));
          long now = row.getLong(4);
          LimitRoom room =
              new LimitRoom(
                  use.limit(), use.running(), use.tokens(now), row.getLong(2), row.getLong(3));
          lines.put(name, new Line(row.getLong(2), row.getLong(3), now, room));
        });
  }

  private boolean hasLines() {
    return lines.values().stream().anyMatch(line -> line.asleep() > 0 || line.awake() > 0);
  }

  /** Reads what is needed to decide on these tasks. */
  void prepare(Collection<FencedTask> tasks) {
    if (uses.isEmpty()) {
      return;
    }
    readLines();
    if (hasLines()) {
      WOKEN
          .on(connection)
          .with("ids", ColumnBatch.uuids(tasks, task -> task.id().value()))
          .each(row ->
              woken.put(
                  new TaskId(NonNullColumns.uuid(row, 1)),
                  new LimitName(NonNullColumns.text(row, 2))));
    }
  }

  /** Decides on a task, after those that are before it: it may begin, or has to stand in line. */
  boolean admit(FencedTask task, TaskLimits limits) {
    List<LimitName> limited = limits.names().stream().filter(uses::containsKey).toList();
    LimitName woke = woken.get(task.id());
    // that of a name which the task has no more, as it was replaced, is none
    LimitName turn = woke != null && limited.contains(woke) ? woke : null;
    for (LimitName name : limited) {
      LimitRoom room = room(name);
      if (!room.admits(turn != null)) {
        OptionalLong delay = room.refuse(name.equals(turn));
        refused.add(new Refused(task, name, delay.isPresent() ? (Long) delay.getAsLong() : null));
        if (turn != null && !turn.equals(name)) {
          giveUp(turn);
        }
        return false;
      }
    }
    limited.forEach(name -> room(name).take(name.equals(turn)));
    return true;
  }

  private void giveUp(LimitName turn) {
    Line line = lines.get(turn);
    if (line != null) {
      line.room().giveUp();
      givenUp.put(turn, line.room());
    }
  }

  private LimitRoom room(LimitName name) {
    return requireNonNull(lines.get(name)).room();
  }

  /**
   * Counts tasks that have begun, has the refused ones stand in line, and gives the turns that they
   * had in other lines to the next.
   *
   * @return the queues of the woken tasks
   */
  Set<QueueId> noteClaims(Map<FencedTask, TaskLimits> begun) {
    count(begun.values(), 1);
    if (!begun.isEmpty() && hasLines()) {
      DONE.on(connection)
          .with("ids", ColumnBatch.uuids(begun.keySet(), task -> task.id().value()))
          .update();
    }
    if (!refused.isEmpty()) {
      FencedRows<Refused> rows = FencedRows.of(refused, Refused::task);
      rows.bind(PUT.on(connection))
          .with("names", rows.texts(one -> one.by().value()))
          .with("delays", ColumnBatch.longsOrNulls(rows.changes(), Refused::delayMicros))
          .update();
    }
    return wake(connection, givenUp, MOST_WOKEN, SPARE, Set.of()).queues();
  }

  /**
   * Counts tasks that have ended, and wakes those that stand in line for their places.
   *
   * @return the queues of the woken tasks
   */
  Set<QueueId> noteEnds(Collection<TaskLimits> ended) {
    if (uses.isEmpty()) {
      return Set.of();
    }
    count(ended, -1);
    readLines();
    return wake(connection, rooms(), MOST_WOKEN, SPARE, Set.of()).queues();
  }

  private NavigableMap<LimitName, LimitRoom> rooms() {
    NavigableMap<LimitName, LimitRoom> rooms = new TreeMap<>();
    lines.forEach((name, line) -> rooms.put(name, line.room()));
    return rooms;
  }

  private void count(Collection<TaskLimits> tasks, int each) {
    NavigableMap<LimitName, Integer> counts = new TreeMap<>();
    for (TaskLimits task : tasks) {
      task.names().stream()
          .filter(uses::containsKey)
          .forEach(name -> counts.merge(name, each, Integer::sum));
    }
    if (counts.isEmpty()) {
      return;
    }
    int size = counts.size();
    double[] tokens = new double[size];
    long[] tokensAt = new long[size];
    boolean[] isUnchanged = new boolean[size];
    int i = 0;
    for (Map.Entry<LimitName, Integer> entry : counts.entrySet()) {
      Use use = requireNonNull(uses.get(entry.getKey()));
      Line line = lines.get(entry.getKey());
      isUnchanged[i] = each < 0 || !use.isRated() || line == null;
      if (line != null && !isUnchanged[i]) {
        tokens[i] = use.tokens(line.nowMicros()) - entry.getValue();
        // a transaction that this one has waited for may have a later clock
        tokensAt[i] = Math.max(use.atMicros(), line.nowMicros());
      }
      uses.put(
          entry.getKey(),
          new Use(
              use.limit(),
              Math.max(0, use.running() + entry.getValue()),
              use.tokens(),
              use.atMicros()));
      i++;
    }
    UPDATE
        .on(connection)
        .with("names", ColumnBatch.texts(counts.keySet(), LimitName::value))
        .with("begun", ColumnBatch.ints(counts.values(), Integer::intValue))
        .with("tokens", BinaryArray.doubles(tokens, isUnchanged))
        .with("tokens_ats", BinaryArray.longs(tokensAt, isUnchanged))
        .update();
  }

  /**
   * The tasks that were woken, or taken out of a line.
   *
   * @param woken how many were woken
   * @param takenOut how many were in the way
   * @param queues the queues of the woken tasks
   */
  record Swept(int woken, int takenOut, Set<QueueId> queues) {}

  /**
   * Wakes tasks of names as far as there is room; the limits are shared.
   *
   * @param unserved queues whose tasks do not come when they are woken
   */
  private static Swept wake(
      Connection connection,
      NavigableMap<LimitName, LimitRoom> rooms,
      int most,
      int spare,
      Set<QueueId> unserved) {
    List<LimitName> names = new ArrayList<>();
    List<Integer> counts = new ArrayList<>();
    List<Long> firsts = new ArrayList<>();
    List<Double> steps = new ArrayList<>();
    rooms.forEach((name, room) -> {
      int count = room.toWake(most);
      if (count > 0) {
        names.add(name);
        counts.add(count);
        firsts.add(room.turnOfWoken(0));
        steps.add(count == 1 ? 0.0 : (double) room.turnOfWoken(count - 1) / (count - 1));
      }
    });
    Set<QueueId> queues = new HashSet<>();
    int[] woken = {0};
    int[] takenOut = {0};
    if (!names.isEmpty()) {
      WAKE.on(connection)
          .with("names", ColumnBatch.texts(names, LimitName::value))
          .with("counts", ColumnBatch.ints(counts, Integer::intValue))
          .with("firsts", ColumnBatch.longs(firsts, Long::longValue))
          .with(
              "steps",
              BinaryArray.doubles(
                  steps.stream().mapToDouble(Double::doubleValue).toArray(),
                  new boolean[steps.size()]))
          .with("spare", spare)
          .with("unserved", ColumnBatch.ints(unserved, QueueId::value))
          .each(row -> {
            int queue = row.getInt(1);
            if (row.wasNull()) {
              takenOut[0]++;
            } else {
              queues.add(new QueueId(queue));
              woken[0]++;
            }
          });
    }
    return new Swept(woken[0], takenOut[0], queues);
  }

  /**
   * Takes those out of the lines of these names, limited or not any more, that have lost their
   * turn, and wakes others.
   *
   * @param names sorted
   * @param unserved queues whose tasks give way; those that are found are added
   */
  static Swept sweep(
      Connection connection, List<LimitName> names, Set<QueueId> unserved, int most) {
    KeyLimits limits =
        lock(connection, names.stream().map(name -> new TaskLimits(List.of(name))).toList());
    int[] lost = {0};
    LAPSED
        .on(connection)
        .with("names", ColumnBatch.texts(names, LimitName::value))
        .with("grace_micros", EpochMicros.lengthOf(LimitRoom.GRACE))
        .with("max_tasks", most)
        .each(row -> {
          int queue = row.getInt(1);
          if (!row.wasNull()) {
            unserved.add(new QueueId(queue));
          }
          lost[0]++;
        });
    NavigableMap<LimitName, LimitRoom> rooms = new TreeMap<>();
    names.forEach(
        name -> rooms.put(name, new LimitRoom(TaskQueueLimit.NONE, 0, 0, MOST_COUNTED, 0)));
    if (!limits.uses.isEmpty()) {
      limits.readLines();
      rooms.putAll(limits.rooms());
    }
    int spare = (unserved.isEmpty() ? SPARE_OF_SWEEP : SPARE_OF_UNSERVED) / names.size();
    Swept woken = wake(connection, rooms, Math.max(1, most / names.size()), spare, unserved);
    return new Swept(woken.woken(), woken.takenOut() + lost[0], woken.queues());
  }
}
