package io.kairos.api.push;

/**
 * Names of the headers of a push and of its answer. The first three are those of Standard Webhooks.
 * Names that begin with {@link #RESERVED} or {@link #STANDARD} are ours: nobody else's header of
 * such a name is passed on.
 */
public final class PushHeaders {
  /** The execution id: the same in all attempts, so that a receiver knows a repeat. */
  public static final String ID = "webhook-id";

  /** When this attempt was sent, in seconds since 1970. */
  public static final String TIMESTAMP = "webhook-timestamp";

  /** Signatures divided by spaces, two while keys are rotated. */
  public static final String SIGNATURE = "webhook-signature";

  public static final String EXECUTION_ID = "kairos-execution-id";
  public static final String TASK_ID = "kairos-task-id";

  /** Counted from 1. */
  public static final String ATTEMPT = "kairos-attempt";

  /** Grows with each attempt: an effect under an older one comes too late. */
  public static final String FENCE = "kairos-fence";

  public static final String POOL = "kairos-pool";
  public static final String SCHEDULE = "kairos-schedule";

  /** RFC 3339. */
  public static final String FIRE_TIME = "kairos-fire-time";

  /** By which this attempt may be ended later, after {@link #LATER}. */
  public static final String TOKEN = "kairos-completion-token";

  /** In an answer 202: the attempt goes on and is ended by its token. */
  public static final String COMPLETION = "kairos-completion";

  /** The value of {@link #COMPLETION}. */
  public static final String LATER = "later";

  /** In an answer: the execution had been performed before. */
  public static final String DUPLICATE = "kairos-duplicate";

  /** What names of Kairos begin with. */
  public static final String RESERVED = "kairos-";

  /** What names of Standard Webhooks begin with. */
  public static final String STANDARD = "webhook-";

  private PushHeaders() {}
}
