package io.kairos.domain.delay;

import java.util.Set;

/**
 * The header names that control Kairos. None of them is ever relayed. The prefix {@code kairos-} is
 * reserved.
 */
public final class ControlHeaders {
  /** The header names of Chronos, which are read as well. */
  public static final String CHRONOS_ID = "chronosMessageId";

  public static final String CHRONOS_DEADLINE = "chronosDeadline";

  /**
   * The names of Kairos for the id and the due time, and a delay relative to the record's
   * timestamp.
   */
  public static final String ID = "kairos-id";

  public static final String DUE_AT = "kairos-due-at";
  public static final String DELAY = "kairos-delay";

  /** An output topic of this message's own, if it is on the route's allow-list. */
  public static final String OUTPUT_TOPIC = "kairos-output-topic";

  /** The message becomes a task of this handler, if it is on the route's allow-list. */
  public static final String HANDLER = "kairos-handler";

  /** The message becomes a task of this pool, if it is on the route's allow-list. */
  public static final String POOL = "kairos-pool";

  /** The priority of that task, 0 to 100. */
  public static final String PRIORITY = "kairos-priority";

  /** The ordering key of that task. */
  public static final String KEY = "kairos-key";

  /** Names the record of such a message, so that the message makes one task only. */
  public static final String TASK_SOURCE = "kairos-task-source";

  /** Makes the record a control record: {@code cancel} or {@code reschedule}. */
  public static final String CONTROL = "kairos-control";

  /** On the results topic: {@code applied}, {@code too-late} or {@code unknown-id}. */
  public static final String OUTCOME = "kairos-outcome";

  /** On dead letters: the reason in a word and in a sentence, and the place of the record. */
  public static final String REASON = "kairos-reason";

  public static final String REASON_DETAIL = "kairos-reason-detail";
  public static final String SOURCE_TOPIC = "kairos-source-topic";
  public static final String SOURCE_PARTITION = "kairos-source-partition";
  public static final String SOURCE_OFFSET = "kairos-source-offset";

  /**
   * On dead letters that are truncated: the size of key and value, that of a key that is left out,
   * the SHA-256 of the value in hexadecimal, and the id under which the store keeps the whole
   * record.
   */
  public static final String ORIGINAL_BYTES = "kairos-original-bytes";

  public static final String KEY_BYTES = "kairos-key-bytes";

  public static final String VALUE_SHA256 = "kairos-value-sha256";
  public static final String KEPT_LETTER = "kairos-kept-letter";

  static final String RESERVED_PREFIX = "kairos-";

  /**
   * The headers that Kairos itself writes: ignored on input, so that a dead letter can be sent
   * again as it is.
   */
  static final Set<String> WRITTEN_BY_KAIROS =
      Set.of(
          TASK_SOURCE,
          OUTCOME,
          REASON,
          REASON_DETAIL,
          SOURCE_TOPIC,
          SOURCE_PARTITION,
          SOURCE_OFFSET,
          ORIGINAL_BYTES,
          KEY_BYTES,
          VALUE_SHA256,
          KEPT_LETTER);

  private static final Set<String> READ_BY_KAIROS =
      Set.of(
          CHRONOS_ID,
          CHRONOS_DEADLINE,
          ID,
          DUE_AT,
          DELAY,
          OUTPUT_TOPIC,
          HANDLER,
          POOL,
          PRIORITY,
          KEY,
          CONTROL);

  private ControlHeaders() {}

  /** True for a header that Kairos itself writes, and ignores on input. */
  public static boolean isWritten(String name) {
    return WRITTEN_BY_KAIROS.contains(name);
  }

  /** True for a header that Kairos reads or writes. */
  public static boolean isKnown(String name) {
    return READ_BY_KAIROS.contains(name) || WRITTEN_BY_KAIROS.contains(name);
  }
}
