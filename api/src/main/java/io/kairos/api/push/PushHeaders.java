package io.kairos.api.push;

/**
 * Names of the headers of a push and of its answer. The first three are those of Standard Webhooks.
 * Names that begin with {@link #RESERVED} or {@link #STANDARD} are reserved: headers of users with
 * such names are not passed on.
 */
public final class PushHeaders {
  /** Execution id, which is the same in all attempts, so that receivers recognise repeats. */
  public static final String ID = "webhook-id";

  /** When this attempt was sent, in seconds since 1970. */
  public static final String TIMESTAMP = "webhook-timestamp";

  /** Signatures separated by spaces; two while keys are rotated. */
  public static final String SIGNATURE = "webhook-signature";

  public static final String EXECUTION_ID = "kairos-execution-id";
  public static final String TASK_ID = "kairos-task-id";

  /** Number of the attempt, from 1. */
  public static final String ATTEMPT = "kairos-attempt";

  /** Fencing token, which grows with each attempt: effects with an older fence are stale. */
  public static final String FENCE = "kairos-fence";

  public static final String POOL = "kairos-pool";
  public static final String SCHEDULE = "kairos-schedule";

  /** Fire time in RFC 3339. */
  public static final String FIRE_TIME = "kairos-fire-time";

  /** Token that ends this attempt later, after {@link #LATER}. */
  public static final String TOKEN = "kairos-completion-token";

  /** In an answer: {@link #LATER} or {@link #SNOOZE}. */
  public static final String COMPLETION = "kairos-completion";

  /** In an answer 202: the attempt goes on until a call with its token ends it. */
  public static final String LATER = "later";

  /** In an answer that is no 2xx: {@code Retry-After} puts the task off, without a failure. */
  public static final String SNOOZE = "snooze";

  /** In an answer: the execution had been performed before. */
  public static final String DUPLICATE = "kairos-duplicate";

  /** Prefix of header names of Kairos. */
  public static final String RESERVED = "kairos-";

  /** Prefix of header names of Standard Webhooks. */
  public static final String STANDARD = "webhook-";

  private PushHeaders() {}
}
