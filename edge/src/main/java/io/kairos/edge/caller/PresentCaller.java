package io.kairos.edge.caller;

import com.google.protobuf.Message;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.kairos.api.v1.Access.Kind;
import io.kairos.domain.task.queue.QueueMaker;
import io.kairos.edge.refusal.Refusals;
import io.netty.util.AttributeKey;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The caller of the request that a connection's thread, or one of the store's calls, serves. The
 * gate sets it.
 */
public final class PresentCaller {
  /** Bound while a call of this process itself is served, which no door lets in. */
  private static final ScopedValue<Boolean> INSIDE = ScopedValue.newInstance();

  private PresentCaller() {}

  /** Apart, because a process without doors has neither Armeria nor Netty. */
  private static final class Attributes {
    static final AttributeKey<Caller> CALLER = AttributeKey.valueOf(PresentCaller.class, "CALLER");

    static final AttributeKey<CallerScope> SCOPE =
        AttributeKey.valueOf(PresentCaller.class, "SCOPE");
  }

  /** Serves a call of this process itself on this thread: it has no name and may use all names. */
  public static <T> T inside(Supplier<T> call) {
    return ScopedValue.where(INSIDE, true).call(call::get);
  }

  /** The request that this thread serves; null on other threads, and for calls from inside. */
  private static @Nullable ServiceRequestContext request() {
    return INSIDE.isBound() ? null : ServiceRequestContext.currentOrNull();
  }

  /**
   * Says who calls.
   *
   * @param scope the names that the caller may use in this call
   */
  public static void set(Caller caller, CallerScope scope) {
    ServiceRequestContext request = ServiceRequestContext.current();
    request.setAttr(Attributes.CALLER, caller);
    request.setAttr(Attributes.SCOPE, scope);
  }

  /** Says that no callers are configured: whoever calls may use all names. */
  public static void setNone() {
    ServiceRequestContext.current().setAttr(Attributes.SCOPE, CallerScope.WHOLE);
  }

  /** False for an idempotency key that begins like those that are reserved for other callers. */
  public static boolean mayUse(String idempotencyKey) {
    ServiceRequestContext request = request();
    Caller caller = request == null ? null : request.attr(Attributes.CALLER);
    return caller == null || caller.othersKeys().stream().noneMatch(idempotencyKey::startsWith);
  }

  /**
   * The names that the caller may use in this call; all without callers.
   *
   * @throws IllegalStateException on a thread that serves no call, or for a call that has not
   *     passed the gate: nobody knows then what the caller may use
   */
  public static CallerScope scope() {
    if (INSIDE.isBound()) {
      return CallerScope.WHOLE;
    }
    ServiceRequestContext request = request();
    CallerScope scope = request == null ? null : request.attr(Attributes.SCOPE);
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
   * @throws io.kairos.edge.refusal.RefusedCall when the caller may not use the name; does not tell
   *     it
   */
  public static void requireFound(Kind kind, String name, String field) {
    if (!scope().covers(kind, name)) {
      throw Refusals.denied(
          field + ": the caller " + nameOrAddress() + " may not use what it stands for");
    }
  }

  /**
   * Checks what a request has become with what is stored, such as a schedule that keeps its target.
   *
   * @throws io.kairos.edge.refusal.RefusedCall when it names what the caller may not use
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
    ServiceRequestContext request = request();
    Caller caller = request == null ? null : request.attr(Attributes.CALLER);
    return caller == null ? null : caller.name();
  }

  /** A header of the request; null without it, and on other threads. */
  public static @Nullable String header(String name) {
    ServiceRequestContext request = request();
    return request == null ? null : request.request().headers().get(name);
  }

  /** The name of the caller; where nobody needs a token, the address. */
  public static String nameOrAddress() {
    String name = INSIDE.isBound() ? "this process" : name();
    return name == null ? address(ServiceRequestContext.current()) : name;
  }

  /** The address from which a request has come. */
  public static String address(ServiceRequestContext request) {
    return request.remoteAddress().getHostString();
  }
}
