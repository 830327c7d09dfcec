package io.kairos.server.edge.task;

import static io.kairos.server.edge.refusal.InvalidField.require;

import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Durations;
import com.google.protobuf.util.Timestamps;
import io.kairos.domain.task.CollectionName;
import io.kairos.domain.task.HandlerName;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.TaskHandler;
import io.kairos.domain.task.TaskId;
import io.kairos.server.edge.refusal.InvalidField;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads what several requests have. Refuses with the name of the field and its rule. */
public final class Fields {
  public static final Duration YEAR = Duration.ofDays(365);

  /** Of one answer, well below the 4 MiB that a gRPC client takes if it is not told otherwise. */
  public static final int MOST_BYTES = 2 << 20;

  static final int MOST_IN_A_BATCH = 1_000;
  private static final int DEFAULT_PAGE = 100;
  private static final long MICROS = 1_000_000;
  private static final long NANOS_PER_MICRO = 1_000;

  /** The last microsecond that RFC 3339 can write. */
  private static final long LAST_MICROS = Timestamps.MAX_VALUE.getSeconds() * MICROS + MICROS - 1;

  private static final int ID_LENGTH = 36;
  private static final int MOST_IN_A_NAME = 128;

  private Fields() {}

  /** How many are to be on a page. */
  public static int pageSize(int given) {
    int size = given == 0 ? DEFAULT_PAGE : given;
    require(size >= 1 && size <= MOST_IN_A_BATCH, "page_size", "must be 1 to 1,000");
    return size;
  }

  public static TaskId id(String field, String text) {
    boolean shaped =
        text.length() == ID_LENGTH
            && text.charAt(8) == '-'
            && text.charAt(13) == '-'
            && text.charAt(18) == '-'
            && text.charAt(23) == '-';
    require(shaped, field, "must be a task's id, a UUID of 36 characters");
    try {
      return new TaskId(UUID.fromString(text));
    } catch (IllegalArgumentException _) {
      throw new InvalidField(field, "must be a task's id, a UUID of 36 characters");
    }
  }

  /** A handler or a pool, for operators: their limits and pauses are set in the same way. */
  public static TaskHandler handler(String field, String text) {
    return TaskHandler.isPools(text)
        ? PoolRequests.name(field, text.substring(TaskHandler.POOL_PREFIX.length()))
        : handlerName(field, text);
  }

  /** A handler of workers: a pool cannot be named here. */
  public static HandlerName handlerName(String field, String text) {
    try {
      return new HandlerName(text);
    } catch (IllegalArgumentException _) {
      throw new InvalidField(
          field, TaskHandler.isPools(text) ? TaskHandler.NO_POOL : "must have " + HandlerName.RULE);
    }
  }

  /** Null for none. */
  static @Nullable OrderingKey orderingKey(String field, String text) {
    try {
      return text.isEmpty() ? null : new OrderingKey(text);
    } catch (IllegalArgumentException _) {
      throw new InvalidField(field, "must have " + OrderingKey.RULE);
    }
  }

  /** Null for none. */
  static @Nullable CollectionName collection(String field, String text) {
    try {
      return text.isEmpty() ? null : new CollectionName(text);
    } catch (IllegalArgumentException _) {
      throw new InvalidField(field, "must have " + CollectionName.RULE);
    }
  }

  static String worker(String text) {
    require(
        !text.isEmpty()
            && text.length() <= MOST_IN_A_NAME
            && text.chars().noneMatch(Character::isISOControl),
        "worker",
        "must have 1 to 128 characters, and no control characters");
    return text;
  }

  static void batch(String field, int count) {
    require(count >= 1 && count <= MOST_IN_A_BATCH, field, "must be 1 to 1,000");
  }

  /** From nothing to this long. */
  public static Duration duration(String field, com.google.protobuf.Duration given, Duration most) {
    require(Durations.isValid(given), field, "must be a duration of less than 10,000 years");
    require(!Durations.isNegative(given), field, "must not be negative");
    Duration duration = Duration.ofSeconds(given.getSeconds(), given.getNanos());
    require(duration.compareTo(most) <= 0, field, "must be at most " + words(most));
    return duration;
  }

  private static String words(Duration length) {
    return length.compareTo(Duration.ofDays(1)) < 0
        ? length.toSeconds() + " s"
        : length.toDays() + " days";
  }

  /** Microseconds since 1970; what lies between two of them counts as the later, never early. */
  public static long micros(String field, Timestamp given) {
    require(Timestamps.isValid(given), field, "must be a time from year 0001 to 9999");
    return micros(given.getSeconds(), given.getNanos());
  }

  static long now(Instant now) {
    return micros(now.getEpochSecond(), now.getNano());
  }

  /** The present and a delay, which is not negative. */
  static long after(Instant now, String field, com.google.protobuf.Duration delay) {
    require(Durations.isValid(delay), field, "must be a duration of less than 10,000 years");
    require(!Durations.isNegative(delay), field, "must not be negative");
    Instant due = now.plusSeconds(delay.getSeconds()).plusNanos(delay.getNanos());
    require(
        due.getEpochSecond() <= Timestamps.MAX_VALUE.getSeconds(),
        field,
        "must end before the year 10000");
    return micros(due.getEpochSecond(), due.getNano());
  }

  private static long micros(long seconds, int nanos) {
    long micros = seconds * MICROS + (nanos + NANOS_PER_MICRO - 1) / NANOS_PER_MICRO;
    return Math.min(micros, LAST_MICROS);
  }
}
