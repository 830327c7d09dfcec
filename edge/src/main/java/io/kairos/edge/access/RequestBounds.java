package io.kairos.edge.access;

import static java.util.Objects.requireNonNull;

import com.linecorp.armeria.common.ExchangeType;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpObject;
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
import io.kairos.edge.refusal.Refusals;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

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
    context.setAttr(CallBounds.CALL, call);
    var _ = context.log().whenComplete().thenAccept(_ -> call.close());
    StatusRuntimeException unwanted = ConnectionRefusal.of(context);
    StatusRuntimeException refusal = unwanted == null ? refusal(request.headers(), call) : unwanted;
    HttpRequest bounded;
    if (refusal == null) {
      limitTime(context, request);
      bounded =
          HttpRequest.of(
              request.headers(),
              reader -> request.subscribe(new CountedBody(reader, call), context.eventLoop()));
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
        ? CallRefusals.of(Refusals.tooLarge(most))
        : !encoding.equals("identity")
            ? CallRefusals.of(Refusals.compressed(encoding))
            : call.begin() ? null : CallRefusals.of(Refusals.noBytesLeft());
  }

  /**
   * Counts the pieces of a body as they come. Armeria's own decorators of a stream see them only
   * when all have been collected.
   */
  private final class CountedBody implements Subscriber<HttpObject>, Subscription {
    private final Subscriber<? super HttpObject> reader;
    private final BytesInFlight.Call call;
    private @Nullable Subscription body;
    private boolean refused;

    CountedBody(Subscriber<? super HttpObject> reader, BytesInFlight.Call call) {
      this.reader = reader;
      this.call = call;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      body = subscription;
      reader.onSubscribe(this);
    }

    @Override
    public void onNext(HttpObject piece) {
      if (refused) {
        return;
      }
      StatusRuntimeException refusal = piece instanceof HttpData data ? count(data) : null;
      if (refusal == null) {
        reader.onNext(piece);
      } else {
        refused = true;
        cancel();
        reader.onError(refusal);
      }
    }

    private @Nullable StatusRuntimeException count(HttpData data) {
      boolean taken = call.takeBody(data.length());
      return call.body() > most
          ? CallRefusals.of(Refusals.tooLarge(most))
          : taken ? null : CallRefusals.of(Refusals.noBytesLeft());
    }

    @Override
    public void onError(Throwable cause) {
      if (!refused) {
        reader.onError(cause);
      }
    }

    @Override
    public void onComplete() {
      if (!refused) {
        reader.onComplete();
      }
    }

    @Override
    public void request(long pieces) {
      requireNonNull(body).request(pieces);
    }

    @Override
    public void cancel() {
      requireNonNull(body).cancel();
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
                  request.abort(CallRefusals.of(Refusals.tooSlow(BODY_WITHIN_SECONDS)));
                },
                BODY_WITHIN_SECONDS,
                TimeUnit.SECONDS);
    var _ = request.whenComplete().handle((_, _) -> late.cancel(false));
  }
}
