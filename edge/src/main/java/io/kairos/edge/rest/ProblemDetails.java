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
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
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

  private ProblemDetails(String type, String title, HttpStatus status, String code, String detail) {
    headers =
        ResponseHeaders.builder(status)
            .contentType(PROBLEM)
            .set(HttpHeaderNames.CACHE_CONTROL, "no-store");
    members.put("type", type);
    members.put("title", title);
    setStatus(status);
    members.put("code", code);
    members.put("detail", detail);
    if (status.equals(HttpStatus.UNAUTHORIZED)) {
      headers.set(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer");
    }
  }

  private void setStatus(HttpStatus status) {
    headers.status(status);
    members.put("status", status.code());
  }

  /** The answer to a request that has not reached a method. */
  static AggregatedHttpResponse of(HttpStatus status, @Nullable String why) {
    String phrase = status.reasonPhrase();
    Optional<ProblemType> type = ProblemType.of(status);
    return new ProblemDetails(
            type.map(ProblemType::uri).orElse("about:blank"),
            type.map(ProblemType::title).orElse(phrase),
            status,
            type.map(ProblemType::code).orElse(Status.Code.UNKNOWN).name(),
            why == null ? phrase : why)
        .response();
  }

  static AggregatedHttpResponse of(Status status, Metadata trailers) {
    String why = status.getDescription();
    ProblemType type = ProblemType.of(status.getCode());
    ProblemDetails problem =
        new ProblemDetails(
            type.uri(),
            type.title(),
            type.status(),
            status.getCode().name(),
            why == null ? "" : why);
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
        ProblemType.of(info.getReason()).ifPresent(this::setType);
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

  private void setType(ProblemType type) {
    members.put("type", type.uri());
    members.put("title", type.title());
    setStatus(type.status());
  }

  private AggregatedHttpResponse response() {
    try {
      return AggregatedHttpResponse.of(
          headers.build(), HttpData.ofUtf8(JSON.writeValueAsString(members) + "\n"));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("texts and numbers can be written: " + members.keySet(), e);
    }
  }
}
