package io.kairos.edge.rest;

import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A REST request, presented to the method and the gate as a gRPC call. It may be closed on any
 * thread; the answer is written as JSON on the connection's thread.
 */
final class RestCall<Q, A> extends ServerCall<Q, A> {
  private final ServiceRequestContext context;
  private final MethodDescriptor<Q, A> method;
  private final CompletableFuture<HttpResponse> response = new CompletableFuture<>();
  private volatile boolean closed;
  private volatile boolean cancelled;
  private @Nullable A answer;

  RestCall(ServiceRequestContext context, MethodDescriptor<Q, A> method) {
    this.context = context;
    this.method = method;
  }

  HttpResponse response() {
    return HttpResponse.of(response);
  }

  /** True once the call has been answered or refused. */
  boolean isClosed() {
    return closed;
  }

  /** Ends the call because the request could not be received. */
  void fail(Throwable cause) {
    closed = true;
    response.completeExceptionally(cause);
  }

  /** Marks the call as cancelled: the caller has disconnected. */
  void cancel() {
    cancelled = true;
  }

  @Override
  public void request(int messages) {}

  @Override
  public void sendHeaders(Metadata headers) {}

  @Override
  public void sendMessage(A message) {
    answer = message;
  }

  @Override
  public void close(Status status, Metadata trailers) {
    closed = true;
    A message = answer;
    // A failure to write the answer completes the response too.
    var _ = response.completeAsync(() -> write(status, trailers, message), context.eventLoop());
  }

  private HttpResponse write(Status status, Metadata trailers, @Nullable A message) {
    return status.isOk() && message instanceof Message proto
        ? ZippedAnswer.of(context, headers(proto), HttpData.ofUtf8(JsonMessage.print(proto) + "\n"))
        : ProblemDetails.of(status, trailers).toHttpResponse();
  }

  private static ResponseHeaders headers(Message answer) {
    ResponseHeadersBuilder headers =
        ResponseHeaders.builder(HttpStatus.OK)
            .contentType(MediaType.JSON_UTF_8)
            .set(HttpHeaderNames.CACHE_CONTROL, "no-store");
    EntityTagHeader.of(answer).ifPresent(tag -> headers.set(HttpHeaderNames.ETAG, tag));
    return headers.build();
  }

  @Override
  public boolean isCancelled() {
    return cancelled;
  }

  @Override
  public MethodDescriptor<Q, A> getMethodDescriptor() {
    return method;
  }
}
