package io.kairos.edge.access;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.kairos.domain.task.queue.QueueMaker;
import io.netty.util.AttributeKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The caller of the request that a connection's thread serves. {@link CallGate} sets it. */
public final class PresentCaller {
  private static final AttributeKey<String> NAME =
      AttributeKey.valueOf(PresentCaller.class, "NAME");

  private static final AttributeKey<List<String>> OTHERS_KEYS =
      AttributeKey.valueOf(PresentCaller.class, "OTHERS_KEYS");

  private PresentCaller() {}

  static void set(CallerConfig caller, List<String> othersKeys) {
    ServiceRequestContext request = ServiceRequestContext.current();
    request.setAttr(NAME, caller.name());
    request.setAttr(OTHERS_KEYS, othersKeys);
  }

  /** False for an idempotency key that begins like those that are reserved for other callers. */
  public static boolean mayUse(String idempotencyKey) {
    List<String> othersKeys = ServiceRequestContext.current().attr(OTHERS_KEYS);
    return othersKeys == null || othersKeys.stream().noneMatch(idempotencyKey::startsWith);
  }

  /** The caller as a maker of queues; null without callers, and on other threads. */
  public static @Nullable QueueMaker maker() {
    ServiceRequestContext request = ServiceRequestContext.currentOrNull();
    String name = request == null ? null : request.attr(NAME);
    return name == null ? null : QueueMaker.caller(name);
  }

  /** A header of the request; null without it, and on other threads. */
  public static @Nullable String header(String name) {
    ServiceRequestContext request = ServiceRequestContext.currentOrNull();
    return request == null ? null : request.request().headers().get(name);
  }

  /** The name of the caller; where nobody needs a token, the address. */
  public static String nameOrAddress() {
    ServiceRequestContext request = ServiceRequestContext.current();
    String name = request.attr(NAME);
    return name == null ? CallGate.address(request) : name;
  }
}
