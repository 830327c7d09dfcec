package io.kairos.edge.rest;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.TimeoutException;
import com.linecorp.armeria.common.util.Exceptions;
import com.linecorp.armeria.server.HttpResponseException;
import com.linecorp.armeria.server.HttpStatusException;
import com.linecorp.armeria.server.ServerErrorHandler;
import com.linecorp.armeria.server.ServiceConfig;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes errors that occur before there is a call, such as an unknown path or a head that cannot be
 * read, as problem details; gRPC has its own form.
 */
public final class RestErrors implements ServerErrorHandler {
  private static final Logger LOG = LoggerFactory.getLogger(RestErrors.class);

  /** Codes of faults in the node itself. */
  private static final Set<Status.Code> OURS =
      Set.of(Status.Code.INTERNAL, Status.Code.UNKNOWN, Status.Code.DATA_LOSS);

  /** A refusal in the form of REST. */
  public static HttpResponse of(StatusRuntimeException refusal) {
    Metadata trailers = refusal.getTrailers();
    return ProblemDetails.of(refusal.getStatus(), trailers == null ? new Metadata() : trailers)
        .toHttpResponse();
  }

  /** Logs a failure of ours with its place. A caller that ends its own call is no failure. */
  @Override
  public @Nullable HttpResponse onServiceException(ServiceRequestContext context, Throwable cause) {
    if (isOfTheCaller(cause)) {
      LOG.debug("a call was ended: {}", String.valueOf(cause));
    } else {
      LOG.atError().setCause(cause).log("a request failed for a reason that is not its caller's");
    }
    return null;
  }

  private static boolean isOfTheCaller(Throwable cause) {
    return Exceptions.isStreamCancelling(cause)
        || Exceptions.isExpected(cause)
        || cause instanceof CancellationException
        || cause instanceof HttpStatusException
        || cause instanceof HttpResponseException
        || (cause instanceof StatusRuntimeException refusal
            && !OURS.contains(refusal.getStatus().getCode()))
        || cause instanceof TimeoutException;
  }

  @Override
  public @Nullable AggregatedHttpResponse renderStatus(
      @Nullable ServiceRequestContext context,
      ServiceConfig config,
      @Nullable RequestHeaders headers,
      HttpStatus status,
      @Nullable String description,
      @Nullable Throwable cause) {
    return headers != null && isGrpc(headers) ? null : ProblemDetails.of(status, description);
  }

  /** True for a request of gRPC. */
  public static boolean isGrpc(RequestHeaders headers) {
    MediaType type = headers.contentType();
    return type != null && type.subtype().startsWith("grpc");
  }
}
