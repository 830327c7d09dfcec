package io.kairos.engine.audit;

import java.time.Instant;

/**
 * An entry of the audit log.
 *
 * @param number rises with each entry
 * @param at when the call began, by the store's clock, in whole microseconds
 * @param outcome {@link #BEGUN}, or the code of gRPC by which the call was answered, such as {@code
 *     OK} or {@code PERMISSION_DENIED}
 * @param more how many further calls, of which each would be an entry, this one stands for; zero
 *     for an entry of one call
 */
public record AuditRecord(long number, Instant at, AuditedCall call, String outcome, long more) {
  /**
   * The call was let through and its end is not known: it is under way, or its node ended before
   * the outcome was written.
   */
  public static final String BEGUN = "BEGUN";
}
