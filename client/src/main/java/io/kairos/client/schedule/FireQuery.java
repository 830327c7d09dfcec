package io.kairos.client.schedule;

import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Selects decisions about a schedule to list, newest first.
 *
 * @param from only fire times at or after this time; null for all
 * @param to only fire times before this time; null for all
 * @param decisions only these decisions; all when empty
 * @param reasons only fire times that were skipped for these reasons; all when empty
 * @param limit maximum number of decisions
 */
public record FireQuery(
    String schedule,
    @Nullable Instant from,
    @Nullable Instant to,
    Set<Fire.Decision> decisions,
    Set<Fire.Reason> reasons,
    int limit) {
  public FireQuery {
    decisions = Set.copyOf(decisions);
    reasons = Set.copyOf(reasons);
  }

  /** Returns a query for the latest hundred decisions. */
  public static FireQuery of(String schedule) {
    return new FireQuery(
        schedule,
        null,
        null,
        EnumSet.noneOf(Fire.Decision.class),
        EnumSet.noneOf(Fire.Reason.class),
        100);
  }

  public FireQuery from(Instant first) {
    return new FireQuery(schedule, first, to, decisions, reasons, limit);
  }

  public FireQuery to(Instant end) {
    return new FireQuery(schedule, from, end, decisions, reasons, limit);
  }

  public FireQuery decisions(Fire.Decision... wanted) {
    return new FireQuery(schedule, from, to, Set.copyOf(Arrays.asList(wanted)), reasons, limit);
  }

  public FireQuery reasons(Fire.Reason... wanted) {
    return new FireQuery(schedule, from, to, decisions, Set.copyOf(Arrays.asList(wanted)), limit);
  }

  public FireQuery limit(int most) {
    return new FireQuery(schedule, from, to, decisions, reasons, most);
  }
}
