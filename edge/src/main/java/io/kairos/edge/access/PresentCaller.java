package io.kairos.edge.access;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.kairos.domain.task.queue.QueueMaker;
import io.netty.util.AttributeKey;
import org.jspecify.annotations.Nullable;

/** The caller of the request that a connection's thread serves. {@link CallGate} sets it. */
public final class PresentCaller {
  private static final AttributeKey<String> NAME =
      AttributeKey.valueOf(PresentCaller.class, "NAME");

  private PresentCaller() {}

  static void set(CallerConfig caller) {
    ServiceRequestContext.current().setAttr(NAME, caller.name());
  }

  /** The caller as a maker of queues; null without callers, and on other threads. */
  public static @Nullable QueueMaker maker() {
    ServiceRequestContext request = ServiceRequestContext.currentOrNull();
    String name = request == null ? null : request.attr(NAME);
    return name == null ? null : QueueMaker.caller(name);
  }

  /** The name of the caller; where nobody needs a token, the address. */
  public static String nameOrAddress() {
    ServiceRequestContext request = ServiceRequestContext.current();
    String name = request.attr(NAME);
    return name == null ? CallGate.address(request) : name;
  }
}
