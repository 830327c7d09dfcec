package io.kairos.server.edge.rest;

import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A call of a method that came as REST. The method and the gate before it see a gRPC call; its end,
 * on whatever thread, is written as JSON on that of the connection.
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

  /** Whether it has been answered, a refusal being an answer. */
  boolean isClosed() {
    return closed;
  }

  /** What was asked could not be received. */
  void fail(Throwable cause) {
    closed = true;
    response.completeExceptionally(cause);
  }

  void close(StatusRuntimeException refusal) {
    Metadata trailers = refusal.getTrailers();
    close(refusal.getStatus(), trailers == null ? new Metadata() : trailers);
  }

  /** The caller has gone. */
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
    // What cannot be written is an answer as well.
    var _ = response.completeAsync(() -> write(status, trailers, message), context.eventLoop());
  }

  private HttpResponse write(Status status, Metadata trailers, @Nullable A message) {
    return status.isOk() && message instanceof Message proto
        ? HttpResponse.of(HttpStatus.OK, MediaType.JSON_UTF_8, JsonMessage.print(proto) + "\n")
        : Problem.of(status, trailers).toHttpResponse();
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
