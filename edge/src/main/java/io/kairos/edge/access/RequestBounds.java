package io.kairos.edge.access;

import com.linecorp.armeria.common.ExchangeType;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.stream.StreamMessage;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.RoutingContext;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;
import io.grpc.StatusRuntimeException;
import io.kairos.edge.refusal.CallRefusals;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the calls of one method: the size of a body, the time in which it has to come, and the
 * bytes of all calls in flight. Bytes are counted as they come, before they are kept. A refused
 * body fails with the status that the caller gets. Runs on the threads of the connections.
 */
public final class RequestBounds extends SimpleDecoratingHttpService {
  private static final long BODY_WITHIN_SECONDS = 20;

  private final CallBounds bounds;
  private final long most;

  RequestBounds(HttpService delegate, CallBounds bounds, long most) {
    super(delegate);
    this.bounds = bounds;
    this.most = most;
  }

  /** By default Armeria collects the body of a unary call before any of our code runs. */
  @Override
  public ExchangeType exchangeType(RoutingContext context) {
    return ((HttpService) unwrap()).exchangeType(context).isResponseStreaming()
        ? ExchangeType.BIDI_STREAMING
        : ExchangeType.REQUEST_STREAMING;
  }

  @Override
  public HttpResponse serve(ServiceRequestContext context, HttpRequest request) throws Exception {
    BytesInFlight.Call call = bounds.call(context, request.headers());
    var _ = context.log().whenComplete().thenAccept(_ -> call.close());
    StatusRuntimeException refusal = refusal(request.headers(), call);
    HttpRequest bounded;
    if (refusal == null) {
      limitTime(context, request);
      bounded = request.peekData(data -> count(call, data.length()));
    } else {
      request.abort(refusal);
      bounded = HttpRequest.of(request.headers(), StreamMessage.aborted(refusal));
    }
    HttpResponse answer = ((HttpService) unwrap()).serve(context, bounded);
    return answer.peekData(data -> call.answered(data.length()));
  }

  private @Nullable StatusRuntimeException refusal(
      RequestHeaders headers, BytesInFlight.Call call) {
    String encoding = headers.get("grpc-encoding", "identity");
    return headers.contentLength() > most
        ? CallRefusals.tooLarge(most)
        : !encoding.equals("identity")
            ? CallRefusals.compressed(encoding)
            : call.begin() ? null : CallRefusals.noBytesLeft();
  }

  private void count(BytesInFlight.Call call, int bytes) {
    boolean taken = call.takeBody(bytes);
    if (call.body() > most) {
      throw CallRefusals.tooLarge(most);
    }
    if (!taken) {
      throw CallRefusals.noBytesLeft();
    }
  }

  private static void limitTime(ServiceRequestContext context, HttpRequest request) {
    ScheduledFuture<?> late =
        context
            .eventLoop()
            .withoutContext()
            .schedule(
                () -> {
                  var _ = context.initiateConnectionShutdown();
                  request.abort(CallRefusals.tooSlow(BODY_WITHIN_SECONDS));
                },
                BODY_WITHIN_SECONDS,
                TimeUnit.SECONDS);
    var _ = request.whenComplete().handle((_, _) -> late.cancel(false));
  }
}
