package io.kairos.edge.rest;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.ServerErrorHandler;
import com.linecorp.armeria.server.ServiceConfig;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import org.jspecify.annotations.Nullable;

/**
 * Writes errors that occur before there is a call, such as an unknown path or a head that cannot be
 * read, as problem details; gRPC has its own form.
 */
public final class RestErrors implements ServerErrorHandler {
  /** A refusal in the form of REST. */
  public static HttpResponse of(StatusRuntimeException refusal) {
    Metadata trailers = refusal.getTrailers();
    return ProblemDetails.of(refusal.getStatus(), trailers == null ? new Metadata() : trailers)
        .toHttpResponse();
  }

  @Override
  public @Nullable HttpResponse onServiceException(ServiceRequestContext context, Throwable cause) {
    return null;
  }

  @Override
  public @Nullable AggregatedHttpResponse renderStatus(
      @Nullable ServiceRequestContext context,
      ServiceConfig config,
      @Nullable RequestHeaders headers,
      HttpStatus status,
      @Nullable String description,
      @Nullable Throwable cause) {
    MediaType type = headers == null ? null : headers.contentType();
    boolean isCall = type != null && type.subtype().startsWith("grpc");
    return isCall ? null : ProblemDetails.of(status, description);
  }
}
