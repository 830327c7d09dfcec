package io.kairos.domain.schedule.fire;

import static io.kairos.domain.check.ArgumentCheck.require;

import io.kairos.domain.check.HashFunction;
import io.kairos.domain.schedule.definition.ScheduleId;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.time.EpochMicros;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;

/**
 * Execution ids of schedules: UUIDv8 (RFC 9562) of 48 bits of fire time in milliseconds, then 74
 * bits of a hash of the schedule, the fire time and the request. An id is equal on every node, at
 * every retry and after every fail-over. Ids increase with time.
 *
 * <p>A run of several tasks has a range of ids, of which the last eight bits count its tasks from
 * 0, the run's own id, on. So the tasks of a run are found by the ranges of the indexes by id.
 */
public final class ExecutionIds {
  private static final int VERSION = 8;
  private static final long VARIANT = 0x8000_0000_0000_0000L;
  private static final long LOW_12_BITS = 0xFFF;
  private static final long PLACE = 0xFF;

  /** Most tasks of a run. */
  public static final int MOST_TASKS = 256;

  private ExecutionIds() {}

  /**
   * Returns the id for a run.
   *
   * @param request the id of the trigger or backfill; empty for a fire time of the rule
   */
  public static TaskId of(ScheduleId schedule, Instant fireAt, String request) {
    byte[] text = request.getBytes(StandardCharsets.UTF_8);
    ByteBuffer of = ByteBuffer.allocate(3 * Long.BYTES + text.length);
    of.putLong(schedule.value().getMostSignificantBits())
        .putLong(schedule.value().getLeastSignificantBits())
        .putLong(EpochMicros.of(fireAt))
        .put(text);
    ByteBuffer hash = ByteBuffer.wrap(HashFunction.sha256().digest(of.array()));
    long high =
        (fireAt.toEpochMilli() << 16) | ((long) VERSION << 12) | (hash.getLong() & LOW_12_BITS);
    return new TaskId(new UUID(high, VARIANT | (hash.getLong() >>> 2)));
  }

  /**
   * Returns the id for a run of so many tasks.
   *
   * @param request the id of the trigger or backfill; empty for a fire time of the rule
   */
  public static TaskId of(ScheduleId schedule, Instant fireAt, String request, int tasks) {
    TaskId run = of(schedule, fireAt, request);
    return tasks == 1 ? run : first(run);
  }

  /** The id of a task of a run, by its place from 0 on. */
  public static TaskId task(TaskId run, int place) {
    require(place >= 0 && place < MOST_TASKS, "a run has at most 256 tasks");
    return place == 0 ? run : withPlace(run, place);
  }

  /** The least id that a task of the same run may have; equal for the tasks of one run alone. */
  public static TaskId first(TaskId task) {
    return withPlace(task, 0);
  }

  /** The greatest id that a task of the same run may have. */
  public static TaskId last(TaskId task) {
    return withPlace(task, (int) PLACE);
  }

  /** True for ids of tasks of one run. */
  public static boolean areOfOneRun(TaskId one, TaskId other) {
    return first(one).equals(first(other));
  }

  /** True for the id of a task of a schedule. */
  public static boolean isOfSchedule(TaskId task) {
    return task.value().version() == VERSION;
  }

  private static TaskId withPlace(TaskId task, int place) {
    UUID id = task.value();
    return new TaskId(
        new UUID(id.getMostSignificantBits(), (id.getLeastSignificantBits() & ~PLACE) | place));
  }
}
