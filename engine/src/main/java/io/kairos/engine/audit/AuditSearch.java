package io.kairos.engine.audit;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Selects entries of the audit log, newest first. What is null is not asked for.
 *
 * @param from only calls that began at or after this time
 * @param to only calls that began before this time
 * @param before only entries behind this place of the list
 * @param limit most entries
 */
public record AuditSearch(
    @Nullable String caller,
    @Nullable String action,
    @Nullable String kind,
    @Nullable String object,
    @Nullable String outcome,
    @Nullable Instant from,
    @Nullable Instant to,
    @Nullable Place before,
    int limit) {
  /** The place of an entry in the list, which is ordered by time, then by number. */
  public record Place(Instant at, long number) {}

  /** The latest entries. */
  public static AuditSearch latest(int limit) {
    return new AuditSearch(null, null, null, null, null, null, null, null, limit);
  }
}
