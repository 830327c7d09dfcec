package io.kairos.edge.access;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.kairos.api.v1.RequestSize;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;

/** What all calls of an edge share: their bytes in flight, by caller. Thread-safe. */
public final class CallBounds {
  private final BytesInFlight bytes;
  private final KnownCallers callers;
  private final int maxPayloadBytes;

  public CallBounds(HttpConfig config, MeterRegistry registry) {
    this.bytes = new BytesInFlight(config.maxBytesInFlight());
    this.callers = new KnownCallers(config.callers());
    this.maxPayloadBytes = config.maxPayloadBytes();
    Gauge.builder("kairos.edge.bytes.in.flight", bytes, BytesInFlight::used)
        .description("Bytes of requests and answers in memory")
        .register(registry);
  }

  /** Bounds the calls of a method whose requests have this size. */
  public HttpService around(HttpService service, RequestSize size) {
    return new RequestBounds(service, this, RequestSizes.most(size, maxPayloadBytes));
  }

  /** A call that has nothing in memory yet, of the caller whom its token or its address names. */
  BytesInFlight.Call call(ServiceRequestContext context, RequestHeaders headers) {
    String token =
        callers.isEmpty() ? null : CallGate.token(headers.get(HttpHeaderNames.AUTHORIZATION));
    String address = CallGate.address(context);
    return bytes.new Call(token == null ? address : nameOf(token, address));
  }

  private Object nameOf(String token, String otherwise) {
    Optional<CallerConfig> caller = callers.holding(token);
    return caller.isPresent() ? caller.get() : otherwise;
  }
}
