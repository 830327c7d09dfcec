package io.kairos.edge.access;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.kairos.api.v1.Access.RequestSize;
import io.kairos.edge.caller.Caller;
import io.kairos.edge.caller.KnownCallers;
import io.kairos.edge.caller.PresentCaller;
import io.kairos.edge.caller.Recognition;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.util.AttributeKey;
import java.util.function.LongPredicate;

/** What all calls of an edge share: their bytes in flight, by caller. Thread-safe. */
public final class CallBounds {
  static final AttributeKey<BytesInFlight.Call> CALL =
      AttributeKey.valueOf(CallBounds.class, "CALL");

  private final BytesInFlight bytes;
  private final KnownCallers callers;
  private final int maxPayloadBytes;

  /** A larger request could never have its bytes. */
  private final long mostOfOne;

  public CallBounds(HttpConfig config, KnownCallers callers, MeterRegistry registry) {
    this.bytes = new BytesInFlight(config.maxBytesInFlight());
    this.callers = callers;
    this.maxPayloadBytes = config.maxPayloadBytes();
    this.mostOfOne = BytesInFlight.mostOfOne(config.maxBytesInFlight());
    Gauge.builder("kairos.edge.bytes.in.flight", bytes, BytesInFlight::used)
        .description("Bytes of requests and answers in memory")
        .register(registry);
  }

  /** Bounds the calls of a method whose requests have this size. */
  public HttpService around(HttpService service, RequestSize size) {
    long most = RequestSizes.most(size, maxPayloadBytes);
    return new RequestBounds(service, this, Math.min(most, mostOfOne));
  }

  /** Takes bytes for the answer to the present request, all in all, before the answer is made. */
  public static LongPredicate answerRoom() {
    BytesInFlight.Call call = ServiceRequestContext.current().attr(CALL);
    return call == null ? _ -> true : call::takeAnswer;
  }

  /**
   * A call that has nothing in memory yet, of the caller whom its token names, or its address.
   * Where callers are configured, an address without a known token is a {@link Stranger}.
   */
  BytesInFlight.Call call(ServiceRequestContext context, RequestHeaders headers) {
    String address = PresentCaller.address(context);
    if (callers.isEmpty()) {
      return bytes.new Call(address);
    }
    Recognition caller = callers.of(context, headers.get(HttpHeaderNames.AUTHORIZATION));
    return bytes
    .new Call(
        caller instanceof Recognition.Known(Caller known) ? known.name() : new Stranger(address));
  }
}
