package io.kairos.edge.access;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.StatusRuntimeException;
import io.netty.util.AttributeKey;
import org.jspecify.annotations.Nullable;

/**
 * Why a request is refused because of the connection on which it came, whatever it asks for. Its
 * body is not read, and the {@link CallGate} refuses it, in the form of gRPC or REST.
 */
public final class ConnectionRefusal {
  private static final AttributeKey<StatusRuntimeException> WHY =
      AttributeKey.valueOf(ConnectionRefusal.class, "WHY");

  private ConnectionRefusal() {}

  /** Has a request refused that no service has seen yet. */
  public static void set(ServiceRequestContext request, StatusRuntimeException why) {
    request.setAttr(WHY, why);
  }

  static @Nullable StatusRuntimeException of(ServiceRequestContext request) {
    return request.attr(WHY);
  }

  /**
   * Checks the present request.
   *
   * @throws StatusRuntimeException when it is to be refused
   */
  static void requireNone() {
    StatusRuntimeException why = of(ServiceRequestContext.current());
    if (why != null) {
      throw why;
    }
  }
}
