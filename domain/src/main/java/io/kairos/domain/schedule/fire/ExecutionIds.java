package io.kairos.domain.schedule.fire;

import io.kairos.domain.task.TaskId;
import io.kairos.domain.time.EpochMicros;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.UUID;

/**
 * Execution ids of schedules (PH-32): UUIDv8 (RFC 9562) of 48 bits of fire time in milliseconds,
 * then 74 bits of a hash of the schedule and the fire time, or of the schedule and the request that
 * asked for the run. The same on every node, at every retry and after every fail-over; increasing
 * with time.
 */
public final class ExecutionIds {
  private static final int VERSION = 8;
  private static final long VARIANT = 0x8000_0000_0000_0000L;
  private static final long LOW_12_BITS = 0xFFF;

  private ExecutionIds() {}

  /** Of a fire time that the rule names. */
  public static TaskId of(ScheduleId schedule, Instant fireAt) {
    return of(schedule, fireAt, "");
  }

  /**
   * Of a run that was asked for.
   *
   * @param request empty for the rule's own fire time
   */
  public static TaskId of(ScheduleId schedule, Instant fireAt, String request) {
    return id(fireAt, hash(schedule, EpochMicros.of(fireAt), request));
  }

  private static TaskId id(Instant fireAt, ByteBuffer hash) {
    long high =
        (fireAt.toEpochMilli() << 16) | ((long) VERSION << 12) | (hash.getLong() & LOW_12_BITS);
    return new TaskId(new UUID(high, VARIANT | (hash.getLong() >>> 2)));
  }

  private static ByteBuffer hash(ScheduleId schedule, long fireAtMicros, String request) {
    byte[] text = request.getBytes(StandardCharsets.UTF_8);
    ByteBuffer of = ByteBuffer.allocate(3 * Long.BYTES + text.length);
    of.putLong(schedule.value().getMostSignificantBits())
        .putLong(schedule.value().getLeastSignificantBits())
        .putLong(fireAtMicros)
        .put(text);
    try {
      return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(of.array()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
