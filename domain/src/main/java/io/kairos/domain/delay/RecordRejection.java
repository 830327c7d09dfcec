package io.kairos.domain.delay;

import java.util.Locale;

/**
 * The reason why a record goes to the dead-letter topic.
 *
 * @param detail one sentence that names the header and its fault; never payload
 */
public record RecordRejection(Reason reason, String detail) {
  /** Reasons, as the dead-letter header and the metric tag spell them by {@link #label}. */
  public enum Reason {
    MISSING_ID,
    MALFORMED_ID,
    MISSING_DUE_TIME,
    MALFORMED_DUE_TIME,
    CONTRADICTORY_HEADERS,
    UNKNOWN_HEADER,
    MALFORMED_CONTROL,
    OUTPUT_NOT_ALLOWED,
    MALFORMED_HANDLER,
    HANDLER_NOT_ALLOWED,
    MALFORMED_POOL,
    POOL_NOT_ALLOWED,
    MALFORMED_KEY,
    TOO_LARGE,
    /** The message would be fired later after its due time than its route allows. */
    TOO_LATE,
    /** The broker refuses the message on the output topic for good, for example as too large. */
    PUBLISH_REFUSED;

    /** The name in lower case with hyphens, for example {@code missing-id}. */
    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }
}
