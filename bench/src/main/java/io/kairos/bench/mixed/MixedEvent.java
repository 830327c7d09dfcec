package io.kairos.bench.mixed;

import io.kairos.bench.load.LoadClock;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A line of a history. Fields that an event does not have are null and not in the file. Times are
 * microseconds since the epoch by the clock of the machine, which no fault steps.
 *
 * @param id door and number of a submission; of a fault its kind, of a part the seed
 * @param execution id of the task; null for a message
 * @param fence of the attempt
 * @param pid of the worker
 */
record MixedEvent(
    Kind kind,
    long at,
    String id,
    @Nullable Long due,
    @Nullable String key,
    @Nullable String execution,
    @Nullable Long fence,
    @Nullable Long pid) {

  private static final int MILLIS_AT = 16;

  /** The kind of a line. */
  enum Kind {
    /** The first line of a part. */
    PART,
    /** A fire time of a schedule that was accepted. */
    PLANNED,
    /** A submission begins. */
    INVOKED,
    /** It was accepted: from now on Kairos answers for it. */
    ACKNOWLEDGED,
    /** It was refused and is not to happen. */
    REFUSED,
    /** Nobody can tell whether it was accepted. */
    UNCERTAIN,
    /** A message is on the topic, or a request of the pool at an endpoint. */
    ARRIVED,
    /** A worker begins to perform a task. */
    BEGAN,
    /** It has performed it. */
    ENDED,
    /** It was told to stop, and has stopped. */
    BROKEN_OFF,
    /** A fault begins; one of a worker names its process. */
    FAULT,
    /** A fault is over. */
    OVER,
    /** Nothing is overdue any more after a fault. */
    SETTLED,
    /** This machine does not allow a fault. */
    SKIPPED,
    /** A worker process has ended, at this time; the line may come late. */
    GONE,
    /** Something went wrong that no other line tells. */
    PROBLEM,
    /** Nothing is submitted any more. */
    IDLE,
    /** The last line of a part. */
    COMPLETE
  }

  static MixedEvent of(Kind kind, String id) {
    return new MixedEvent(kind, LoadClock.micros(), id, null, null, null, null, null);
  }

  /** A submission, or a fire time to come. */
  static MixedEvent asked(Kind kind, String id, long due, @Nullable String key) {
    return new MixedEvent(kind, LoadClock.micros(), id, due, key, null, null, null);
  }

  static MixedEvent ofProcess(Kind kind, String id, long pid) {
    return new MixedEvent(kind, LoadClock.micros(), id, null, null, null, null, pid);
  }

  static MixedEvent gone(long at, String fault, long pid) {
    return new MixedEvent(Kind.GONE, at, fault, null, null, null, null, pid);
  }

  static MixedEvent execution(Kind kind, String payload, String execution, long fence, long pid) {
    return new MixedEvent(
        kind,
        LoadClock.micros(),
        submission(payload, execution),
        null,
        null,
        execution,
        fence,
        pid);
  }

  static MixedEvent arrived(long at, String payload, @Nullable String execution) {
    return new MixedEvent(
        Kind.ARRIVED, at, submission(payload, execution), null, null, execution, null, null);
  }

  /** The id of a fire time. */
  static String fire(String schedule, long millis) {
    return schedule + '/' + millis;
  }

  /** The door of a submission, or the schedule of a fire time. */
  static String door(String id) {
    return id.substring(0, Math.max(0, id.lastIndexOf('/')));
  }

  /**
   * A payload is the submission's id, or a schedule's name; runs have the fire time in their id.
   */
  private static String submission(String payload, @Nullable String execution) {
    return payload.contains("/") || execution == null
        ? payload
        : fire(payload, UUID.fromString(execution).getMostSignificantBits() >>> MILLIS_AT);
  }
}
