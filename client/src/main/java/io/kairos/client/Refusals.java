package io.kairos.client;

import io.kairos.client.net.Refusal;

/** Says what a call that failed means to its caller. */
final class Refusals {
  private Refusals() {}

  static KairosException exceptionOf(Refusal refusal, Throwable cause) {
    String text = refusal.text();
    return switch (refusal.status().getCode()) {
      case INVALID_ARGUMENT, OUT_OF_RANGE -> invalid(refusal, cause);
      case NOT_FOUND -> new TaskNotFoundException(text, cause);
      case ALREADY_EXISTS, FAILED_PRECONDITION, ABORTED -> new TaskConflictException(text, cause);
      case UNAUTHENTICATED, PERMISSION_DENIED -> new AccessDeniedException(text, cause);
      case RESOURCE_EXHAUSTED -> new QuotaExceededException(text, refusal.retryAfter(), cause);
      case UNAVAILABLE -> new NodesUnavailableException(text, !refusal.nothingDone(), cause);
      case DEADLINE_EXCEEDED -> new NodesUnavailableException(text, true, cause);
      default -> new KairosException(text, cause);
    };
  }

  private static InvalidRequestException invalid(Refusal refusal, Throwable cause) {
    if (refusal.violations().isEmpty()) {
      return new InvalidRequestException("", refusal.text(), cause);
    }
    Refusal.Violation first = refusal.violations().get(0);
    return new InvalidRequestException(first.field(), first.rule(), refusal.details(), cause);
  }
}
