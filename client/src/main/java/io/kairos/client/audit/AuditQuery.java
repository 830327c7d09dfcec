package io.kairos.client.audit;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Selects entries of the audit log to list, newest first. What is empty or null is not asked for.
 *
 * @param caller only calls of this caller
 * @param action only calls of this method, such as {@code SetPause}
 * @param kind only calls about this kind of object, such as {@code handler}
 * @param object only calls about the object with this name or id
 * @param outcome only calls with this outcome, such as {@code OK}
 * @param from only calls that began at or after this time
 * @param to only calls that began before this time
 * @param limit maximum number of entries
 */
public record AuditQuery(
    String caller,
    String action,
    String kind,
    String object,
    String outcome,
    @Nullable Instant from,
    @Nullable Instant to,
    int limit) {
  /** Returns a query for the latest hundred entries. */
  public static AuditQuery all() {
    return new AuditQuery("", "", "", "", "", null, null, 100);
  }

  public AuditQuery caller(String name) {
    return new AuditQuery(name, action, kind, object, outcome, from, to, limit);
  }

  public AuditQuery action(String method) {
    return new AuditQuery(caller, method, kind, object, outcome, from, to, limit);
  }

  public AuditQuery kind(String name) {
    return new AuditQuery(caller, action, name, object, outcome, from, to, limit);
  }

  public AuditQuery object(String name) {
    return new AuditQuery(caller, action, kind, name, outcome, from, to, limit);
  }

  public AuditQuery outcome(String code) {
    return new AuditQuery(caller, action, kind, object, code, from, to, limit);
  }

  public AuditQuery from(Instant first) {
    return new AuditQuery(caller, action, kind, object, outcome, first, to, limit);
  }

  public AuditQuery to(Instant end) {
    return new AuditQuery(caller, action, kind, object, outcome, from, end, limit);
  }

  public AuditQuery limit(int most) {
    return new AuditQuery(caller, action, kind, object, outcome, from, to, most);
  }
}
