package io.kairos.edge.caller;

import com.google.protobuf.Message;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.kairos.api.v1.Access.Kind;
import io.kairos.domain.task.queue.QueueMaker;
import io.kairos.edge.refusal.CallRefusals;
import io.netty.util.AttributeKey;
import org.jspecify.annotations.Nullable;

/**
 * The caller of the request that a connection's thread, or one of the store's calls, serves. The
 * gate sets it.
 */
public final class PresentCaller {
  private static final AttributeKey<Caller> CALLER =
      AttributeKey.valueOf(PresentCaller.class, "CALLER");

  private static final AttributeKey<CallerScope> SCOPE =
      AttributeKey.valueOf(PresentCaller.class, "SCOPE");

  private PresentCaller() {}

  /**
   * Says who calls.
   *
   * @param scope the names that the caller may use in this call
   */
  public static void set(Caller caller, CallerScope scope) {
    ServiceRequestContext request = ServiceRequestContext.current();
    request.setAttr(CALLER, caller);
    request.setAttr(SCOPE, scope);
  }

  /** Says that no callers are configured: whoever calls may use all names. */
  public static void setNone() {
    ServiceRequestContext.current().setAttr(SCOPE, CallerScope.WHOLE);
  }

  /** False for an idempotency key that begins like those that are reserved for other callers. */
  public static boolean mayUse(String idempotencyKey) {
    Caller caller = ServiceRequestContext.current().attr(CALLER);
    return caller == null || caller.othersKeys().stream().noneMatch(idempotencyKey::startsWith);
  }

  /**
   * The names that the caller may use in this call; all without callers.
   *
   * @throws IllegalStateException on a thread that serves no call, or for a call that has not
   *     passed the gate: nobody knows then what the caller may use
   */
  public static CallerScope scope() {
    ServiceRequestContext request = ServiceRequestContext.currentOrNull();
    CallerScope scope = request == null ? null : request.attr(SCOPE);
    if (scope == null) {
      throw new IllegalStateException(
          request == null
              ? "the names of a caller are asked for on a thread that serves no call"
              : "the names of a caller are asked for in a call that has not passed the gate");
    }
    return scope;
  }

  /**
   * Checks what an id of the request stands for, which may be of others.
   *
   * @throws io.grpc.StatusRuntimeException when the caller may not use the name; does not tell it
   */
  public static void requireFound(Kind kind, String name, String field) {
    if (!scope().covers(kind, name)) {
      throw CallRefusals.denied(
          field + ": the caller " + nameOrAddress() + " may not use what it stands for");
    }
  }

  /**
   * Checks what a request has become with what is stored, such as a schedule that keeps its target.
   *
   * @throws io.grpc.StatusRuntimeException when it names what the caller may not use
   */
  public static void requireAll(Message merged) {
    CallerScope scope = scope();
    if (!scope.isWhole()) {
      NamedFields.of(merged.getDescriptorForType())
          .in(merged)
          .forEach(one -> requireFound(one.kind(), one.name(), "the stored object"));
    }
  }

  /** The caller as a maker of queues; null without callers, and on other threads. */
  public static @Nullable QueueMaker maker() {
    String name = name();
    return name == null ? null : QueueMaker.caller(name);
  }

  /** The name of the caller; null without callers, and on other threads. */
  public static @Nullable String name() {
    ServiceRequestContext request = ServiceRequestContext.currentOrNull();
    Caller caller = request == null ? null : request.attr(CALLER);
    return caller == null ? null : caller.name();
  }

  /** A header of the request; null without it, and on other threads. */
  public static @Nullable String header(String name) {
    ServiceRequestContext request = ServiceRequestContext.currentOrNull();
    return request == null ? null : request.request().headers().get(name);
  }

  /** The name of the caller; where nobody needs a token, the address. */
  public static String nameOrAddress() {
    String name = name();
    return name == null ? address(ServiceRequestContext.current()) : name;
  }

  /** The address from which a request has come. */
  public static String address(ServiceRequestContext request) {
    return request.remoteAddress().getHostString();
  }
}
