package io.kairos.edge.task;

import static io.kairos.edge.refusal.InvalidField.reading;
import static io.kairos.edge.refusal.InvalidField.require;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Durations;
import com.google.protobuf.util.Timestamps;
import io.kairos.domain.task.Fairness;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.batch.BatchId;
import io.kairos.domain.task.limit.LimitName;
import io.kairos.domain.task.limit.TaskLimits;
import io.kairos.domain.task.queue.CollectionName;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.text.SpellingSuggestion;
import io.kairos.domain.time.EpochMicros;
import io.kairos.edge.refusal.InvalidField;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads fields that several requests have. Throws {@link InvalidField}. */
public final class RequestFields {
  public static final Duration YEAR = Duration.ofDays(365);

  /** Size at which a page ends, well below the 4 MiB that a gRPC client accepts by default. */
  public static final int MOST_BYTES = 2 << 20;

  static final int MOST_IN_A_BATCH = 1_000;
  private static final int DEFAULT_PAGE = 100;
  private static final long MICROS = 1_000_000;
  private static final long NANOS_PER_MICRO = 1_000;

  /** The last microsecond that RFC 3339 can write. */
  private static final long LAST_MICROS = Timestamps.MAX_VALUE.getSeconds() * MICROS + MICROS - 1;

  private static final int MOST_IN_A_NAME = 128;
  private static final int MOST_IN_A_NOTE = 500;
  static final double MOST_PER_SECOND = 1_000_000;

  private RequestFields() {}

  /** The number of items on a page, 1 to 1,000; the default when {@code given} is 0. */
  public static int pageSize(int given) {
    int size = given == 0 ? DEFAULT_PAGE : given;
    require(size >= 1 && size <= MOST_IN_A_BATCH, "page_size", "must be 1 to 1,000");
    return size;
  }

  public static TaskId id(String field, String text) {
    return new TaskId(uuid(field, text, "task"));
  }

  /** The id of a batch. */
  static BatchId batchId(String field, String text) {
    return new BatchId(uuid(field, text, "batch"));
  }

  private static UUID uuid(String field, String text, String of) {
    String rule = "must be a " + of + "'s id, a UUID of 36 characters";
    UUID id = reading(field, rule, () -> UUID.fromString(text));
    // The parser takes shorter and longer groups of digits as well.
    require(id.toString().equalsIgnoreCase(text), field, rule);
    return id;
  }

  /** A handler of workers or a pool: operators limit and pause both in the same way. */
  public static TaskHandler handler(String field, String text) {
    return TaskHandler.isPools(text)
        ? PoolRequests.name(field, text.substring(TaskHandler.POOL_PREFIX.length()))
        : handlerName(field, text);
  }

  /** A handler of workers; the name of a pool is refused. */
  public static HandlerName handlerName(String field, String text) {
    String rule = TaskHandler.isPools(text) ? TaskHandler.NO_POOL : "must have " + HandlerName.RULE;
    return reading(field, rule, () -> new HandlerName(text));
  }

  /** Null for an empty text. */
  static @Nullable OrderingKey orderingKey(String field, String text) {
    return text.isEmpty()
        ? null
        : reading(field, "must have " + OrderingKey.RULE, () -> new OrderingKey(text));
  }

  /**
   * Reads a fairness key with its weight. Null for an empty key.
   *
   * @param weight null when it was left out
   */
  static @Nullable Fairness fairness(String key, @Nullable Integer weight) {
    if (key.isEmpty()) {
      require(weight == null, "fairness_weight", "must be given only together with fairness_key");
      return null;
    }
    int given = weight == null ? Fairness.LIGHTEST : weight;
    require(
        given >= Fairness.LIGHTEST && given <= Fairness.HEAVIEST,
        "fairness_weight",
        "must be " + Fairness.WEIGHT_RULE);
    return reading("fairness_key", "must have " + Fairness.RULE, () -> new Fairness(key, given));
  }

  /** Reads the names of the limits of a task. */
  static TaskLimits limits(List<String> given) {
    require(given.size() <= TaskLimits.MOST, "limits", "must be at most 3 names");
    for (int i = 0; i < given.size(); i++) {
      String name = given.get(i);
      reading("limits[" + i + "]", "must have " + LimitName.RULE, () -> new LimitName(name));
    }
    return TaskLimits.of(given);
  }

  /** Null for an empty text. */
  static @Nullable CollectionName collection(String field, String text) {
    return text.isEmpty()
        ? null
        : reading(field, "must have " + CollectionName.RULE, () -> new CollectionName(text));
  }

  /** Null, which means every handler, for an empty text. */
  static @Nullable TaskHandler handlerOrAny(String field, String text) {
    return text.isEmpty() ? null : handler(field, text);
  }

  /** The default priority of tasks when none is given. */
  static int priority(String field, boolean isGiven, int given) {
    require(
        !isGiven || (given >= QueueName.LOWEST && given <= QueueName.HIGHEST),
        field,
        "must be 0 to 100, higher is sooner");
    return isGiven ? given : QueueName.DEFAULT;
  }

  /** The id of a worker. */
  public static String worker(String text) {
    require(
        !text.isEmpty()
            && text.length() <= MOST_IN_A_NAME
            && text.chars().noneMatch(Character::isISOControl),
        "worker",
        "must have 1 to 128 characters, and no control characters");
    return text;
  }

  /**
   * Reads a time zone.
   *
   * @param place details of a refusal, apart from its value
   */
  public static ZoneId zone(String field, String given, Map<String, String> place) {
    try {
      return ZoneId.of(given);
    } catch (DateTimeException _) {
      Map<String, String> details = new TreeMap<>(place);
      details.put("value", given);
      String near =
          SpellingSuggestion.of(given, ZoneId.getAvailableZoneIds())
              .map(name -> {
                details.put("nearest", name);
                return "; did you mean " + name + "?";
              })
              .orElse(", such as Europe/Berlin");
      throw new InvalidField(
          field, "\"" + given + "\" is no zone of the IANA database" + near, details);
    }
  }

  static void batch(String field, int count) {
    require(count >= 1 && count <= MOST_IN_A_BATCH, field, "must be 1 to 1,000");
  }

  /** A duration from 0 to {@code most}. */
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

  /**
   * A duration from 0 to {@code most}.
   *
   * @param field path of the field in the request; the last name is the field's in {@code given}
   * @param otherwise the duration when none is given
   */
  public static Duration duration(Message given, String field, Duration most, Duration otherwise) {
    return duration(given, field, Duration.ZERO, most, otherwise);
  }

  /** A duration from {@code least} to {@code most}. */
  static Duration duration(
      Message given, String field, Duration least, Duration most, Duration otherwise) {
    FieldDescriptor named =
        given.getDescriptorForType().findFieldByName(field.substring(field.lastIndexOf('.') + 1));
    if (!given.hasField(named)) {
      return otherwise;
    }
    Duration length = duration(field, (com.google.protobuf.Duration) given.getField(named), most);
    require(length.compareTo(least) >= 0, field, "must be at least " + least.toMillis() + " ms");
    return length;
  }

  /** Microseconds since 1970, rounded up, so that nothing runs early. */
  public static long micros(String field, Timestamp given) {
    require(Timestamps.isValid(given), field, "must be a time from year 0001 to 9999");
    return micros(given.getSeconds(), given.getNanos());
  }

  public static Instant instant(String field, Timestamp given) {
    return EpochMicros.toInstant(micros(field, given));
  }

  /** The note of a pause. */
  public static String note(String given) {
    require(
        given.length() <= MOST_IN_A_NOTE && given.indexOf('\0') < 0,
        "note",
        "must be at most 500 characters, without U+0000");
    return given;
  }

  /** Checks the fields {@code per_second} and {@code burst} of the message with this name. */
  static void rate(String message, boolean hasRate, double perSecond, boolean hasBurst, int burst) {
    require(
        !hasRate || (perSecond > 0 && perSecond <= MOST_PER_SECOND),
        message + ".per_second",
        "must be greater than 0 and at most 1,000,000");
    require(!hasBurst || burst >= 1, message + ".burst", "must be at least 1");
  }

  static long now(Instant now) {
    return micros(now.getEpochSecond(), now.getNano());
  }

  /** Microseconds since 1970 of {@code now} plus a delay that must not be negative. */
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
