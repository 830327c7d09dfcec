package io.kairos.edge.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import io.kairos.edge.refusal.CallRefusals;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A failed call as problem details by RFC 9457, with the gRPC code, the field and the reason as
 * further members.
 */
final class ProblemDetails {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final MediaType PROBLEM = MediaType.parse("application/problem+json");

  private final Map<String, Object> members = new LinkedHashMap<>();
  private final ResponseHeadersBuilder headers;

  private ProblemDetails(HttpStatus status, String code, String detail) {
    headers = ResponseHeaders.builder(status).contentType(PROBLEM);
    members.put("type", "about:blank");
    setStatus(status);
    members.put("code", code);
    members.put("detail", detail);
    if (status.equals(HttpStatus.UNAUTHORIZED)) {
      headers.set(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer");
    }
  }

  private void setStatus(HttpStatus status) {
    headers.status(status);
    members.put("title", status.reasonPhrase());
    members.put("status", status.code());
  }

  /** The answer to a request that has not reached a method. */
  static AggregatedHttpResponse of(HttpStatus status, @Nullable String why) {
    String code = status.reasonPhrase().toUpperCase(Locale.ROOT).replace(' ', '_');
    return new ProblemDetails(status, code, why == null ? status.reasonPhrase() : why).response();
  }

  static AggregatedHttpResponse of(Status status, Metadata trailers) {
    String why = status.getDescription();
    ProblemDetails problem =
        new ProblemDetails(http(status.getCode()), status.getCode().name(), why == null ? "" : why);
    com.google.rpc.Status details = StatusProto.fromStatusAndTrailers(status, trailers);
    if (details != null) {
      details.getDetailsList().forEach(problem::add);
    }
    return problem.response();
  }

  private void add(Any detail) {
    try {
      if (detail.is(BadRequest.class)) {
        members.put("field", detail.unpack(BadRequest.class).getFieldViolations(0).getField());
      } else if (detail.is(ErrorInfo.class)) {
        ErrorInfo info = detail.unpack(ErrorInfo.class);
        members.put("reason", info.getReason());
        if (info.getReason().equals(CallRefusals.TOO_LARGE)) {
          setStatus(HttpStatus.REQUEST_ENTITY_TOO_LARGE);
        }
        info.getMetadataMap().forEach(members::putIfAbsent);
      } else if (detail.is(RetryInfo.class)) {
        Duration delay = detail.unpack(RetryInfo.class).getRetryDelay();
        long seconds = delay.getSeconds() + (delay.getNanos() > 0 ? 1 : 0);
        headers.set(HttpHeaderNames.RETRY_AFTER, Long.toString(seconds));
      }
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("these details are our own", e);
    }
  }

  private AggregatedHttpResponse response() {
    try {
      return AggregatedHttpResponse.of(
          headers.build(), HttpData.ofUtf8(JSON.writeValueAsString(members) + "\n"));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("texts and numbers can be written: " + members.keySet(), e);
    }
  }

  /** Maps codes as Google's APIs do. */
  private static HttpStatus http(Status.Code code) {
    return switch (code) {
      case OK -> HttpStatus.OK;
      case INVALID_ARGUMENT, FAILED_PRECONDITION, OUT_OF_RANGE -> HttpStatus.BAD_REQUEST;
      case UNAUTHENTICATED -> HttpStatus.UNAUTHORIZED;
      case PERMISSION_DENIED -> HttpStatus.FORBIDDEN;
      case NOT_FOUND -> HttpStatus.NOT_FOUND;
      case ALREADY_EXISTS, ABORTED -> HttpStatus.CONFLICT;
      case RESOURCE_EXHAUSTED -> HttpStatus.TOO_MANY_REQUESTS;
      case CANCELLED -> HttpStatus.CLIENT_CLOSED_REQUEST;
      case UNIMPLEMENTED -> HttpStatus.NOT_IMPLEMENTED;
      case UNAVAILABLE -> HttpStatus.SERVICE_UNAVAILABLE;
      case DEADLINE_EXCEEDED -> HttpStatus.GATEWAY_TIMEOUT;
      case UNKNOWN, INTERNAL, DATA_LOSS -> HttpStatus.INTERNAL_SERVER_ERROR;
    };
  }
}
