package io.kairos.engine.cluster;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that is wrong, in words.
 *
 * @param text one sentence
 * @param name of what it is about; empty with {@link Subject#CLUSTER} and {@link
 *     Subject#FAILED_TASKS}
 * @param since as far as that is known; null where it is not
 */
public record ClusterAlarm(
    Severity severity, String text, Subject subject, String name, @Nullable Instant since) {
  /** How bad it is, the worst first. */
  public enum Severity {
    /** Work waits that will not be done without somebody's help. */
    CRITICAL,
    /** Work is late or fails. */
    WARNING,
    /** Worth knowing. */
    NOTICE
  }

  /** The kind of thing that an alarm is about. */
  public enum Subject {
    /** All of it. */
    CLUSTER,
    /** Tasks that ended dead or failed. */
    FAILED_TASKS,
    HANDLER,
    POOL,
    ROUTE,
    SCHEDULE,
    NODE,
    WORKER
  }
}
