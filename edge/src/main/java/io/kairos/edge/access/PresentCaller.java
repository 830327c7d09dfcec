package io.kairos.edge.access;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.kairos.domain.task.queue.QueueMaker;
import io.netty.util.AttributeKey;
import org.jspecify.annotations.Nullable;

/** The caller of the request that a connection's thread serves. {@link CallGate} sets it. */
public final class PresentCaller {
  private static final AttributeKey<QueueMaker> MAKER =
      AttributeKey.valueOf(PresentCaller.class, "MAKER");

  private PresentCaller() {}

  static void set(CallerConfig caller) {
    ServiceRequestContext.current().setAttr(MAKER, QueueMaker.caller(caller.name()));
  }

  /** The caller as a maker of queues; null without callers, and on other threads. */
  public static @Nullable QueueMaker maker() {
    ServiceRequestContext request = ServiceRequestContext.currentOrNull();
    return request == null ? null : request.attr(MAKER);
  }
}
