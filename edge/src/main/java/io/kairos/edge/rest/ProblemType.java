package io.kairos.edge.rest;

import com.linecorp.armeria.common.HttpStatus;
import io.grpc.Status.Code;
import io.kairos.edge.refusal.Refusals;
import java.util.Locale;
import java.util.Optional;

/**
 * The kinds of error over REST, each with a URI that stays: docs/problems.md says of each what
 * happened and what to do.
 */
public enum ProblemType {
  INVALID_REQUEST(
      "A field of the request breaks a rule", HttpStatus.BAD_REQUEST, Code.INVALID_ARGUMENT),
  MALFORMED_REQUEST(
      "The request is not HTTP that can be read", HttpStatus.BAD_REQUEST, Code.INVALID_ARGUMENT),
  WRONG_STATE(
      "The object is not in a state that allows the call",
      HttpStatus.BAD_REQUEST,
      Code.FAILED_PRECONDITION),
  UNAUTHENTICATED("The token is missing or unknown", HttpStatus.UNAUTHORIZED, Code.UNAUTHENTICATED),
  PERMISSION_DENIED("The caller may not do this", HttpStatus.FORBIDDEN, Code.PERMISSION_DENIED),
  NOT_FOUND("There is no such object or path", HttpStatus.NOT_FOUND, Code.NOT_FOUND),
  METHOD_NOT_ALLOWED(
      "The path does not take this HTTP method", HttpStatus.METHOD_NOT_ALLOWED, Code.UNIMPLEMENTED),
  ALREADY_EXISTS("There is such an object already", HttpStatus.CONFLICT, Code.ALREADY_EXISTS),
  IDEMPOTENCY_KEY_TAKEN(
      "Another task has the idempotency key", HttpStatus.CONFLICT, Code.ALREADY_EXISTS),
  CONFLICT("Another change came first", HttpStatus.CONFLICT, Code.ABORTED),
  STALE_ETAG(
      "The object has been changed since it was read",
      HttpStatus.PRECONDITION_FAILED,
      Code.ABORTED),
  REQUEST_TOO_LARGE(
      "The request is too large", HttpStatus.REQUEST_ENTITY_TOO_LARGE, Code.RESOURCE_EXHAUSTED),
  EXHAUSTED("A bound is reached", HttpStatus.TOO_MANY_REQUESTS, Code.RESOURCE_EXHAUSTED),
  CANCELLED("The caller has ended the call", HttpStatus.CLIENT_CLOSED_REQUEST, Code.CANCELLED),
  NOT_SUPPORTED("This node cannot do this", HttpStatus.NOT_IMPLEMENTED, Code.UNIMPLEMENTED),
  UNAVAILABLE(
      "The node or its store is away at the moment",
      HttpStatus.SERVICE_UNAVAILABLE,
      Code.UNAVAILABLE),
  TIMEOUT("The call took too long", HttpStatus.GATEWAY_TIMEOUT, Code.DEADLINE_EXCEEDED),
  INTERNAL("The node failed", HttpStatus.INTERNAL_SERVER_ERROR, Code.INTERNAL);

  private static final String URI = "urn:problem-type:kairos:";

  private final String title;
  private final int status;
  private final Code code;

  ProblemType(String title, HttpStatus status, Code code) {
    this.title = title;
    this.status = status.code();
    this.code = code;
  }

  /** The name at the end of the URI. */
  public String slug() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public String uri() {
    return URI + slug();
  }

  public String title() {
    return title;
  }

  /** The usual status; some problems of the type have another. */
  HttpStatus status() {
    return HttpStatus.valueOf(status);
  }

  /** The usual gRPC code; some problems of the type have another. */
  Code code() {
    return code;
  }

  /** Statuses are those of Google's APIs. */
  static ProblemType of(Code code) {
    return switch (code) {
      case INVALID_ARGUMENT, OUT_OF_RANGE -> INVALID_REQUEST;
      case FAILED_PRECONDITION -> WRONG_STATE;
      case UNAUTHENTICATED -> UNAUTHENTICATED;
      case PERMISSION_DENIED -> PERMISSION_DENIED;
      case NOT_FOUND -> NOT_FOUND;
      case ALREADY_EXISTS -> ALREADY_EXISTS;
      case ABORTED -> CONFLICT;
      case RESOURCE_EXHAUSTED -> EXHAUSTED;
      case CANCELLED -> CANCELLED;
      case UNIMPLEMENTED -> NOT_SUPPORTED;
      case UNAVAILABLE -> UNAVAILABLE;
      case DEADLINE_EXCEEDED -> TIMEOUT;
      case OK, UNKNOWN, INTERNAL, DATA_LOSS -> INTERNAL;
    };
  }

  /** The kind that the reason of an {@code ErrorInfo} names more exactly than the code. */
  static Optional<ProblemType> of(String reason) {
    return switch (reason) {
      case Refusals.TOO_LARGE -> Optional.of(REQUEST_TOO_LARGE);
      case Refusals.KEY_TAKEN -> Optional.of(IDEMPOTENCY_KEY_TAKEN);
      case Refusals.STALE_ETAG -> Optional.of(STALE_ETAG);
      default -> Optional.empty();
    };
  }

  /** The kind of an error before there is a call; empty for a status that says it all. */
  static Optional<ProblemType> of(HttpStatus status) {
    return switch (status.code()) {
      case 400 -> Optional.of(MALFORMED_REQUEST);
      case 404 -> Optional.of(NOT_FOUND);
      case 405 -> Optional.of(METHOD_NOT_ALLOWED);
      case 413 -> Optional.of(REQUEST_TOO_LARGE);
      case 429 -> Optional.of(EXHAUSTED);
      case 500 -> Optional.of(INTERNAL);
      case 503 -> Optional.of(UNAVAILABLE);
      default -> Optional.empty();
    };
  }
}
