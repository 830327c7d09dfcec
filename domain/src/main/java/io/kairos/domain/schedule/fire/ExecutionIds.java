package io.kairos.domain.schedule.fire;

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
 */
public final class ExecutionIds {
  private static final int VERSION = 8;
  private static final long VARIANT = 0x8000_0000_0000_0000L;
  private static final long LOW_12_BITS = 0xFFF;

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
}
