package io.kairos.client;

import io.kairos.client.error.AccessDeniedException;
import io.kairos.client.error.InvalidRequestException;
import io.kairos.client.error.KairosException;
import io.kairos.client.error.NodesUnavailableException;
import io.kairos.client.error.QuotaExceededException;
import io.kairos.client.error.TaskConflictException;
import io.kairos.client.error.TaskNotFoundException;
import io.kairos.client.net.CallRefusal;

/** Maps failures of calls to exceptions of the client. */
final class CallFailures {
  private CallFailures() {}

  static KairosException exceptionOf(CallRefusal refusal, Throwable cause) {
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

  private static InvalidRequestException invalid(CallRefusal refusal, Throwable cause) {
    if (refusal.violations().isEmpty()) {
      return new InvalidRequestException("", refusal.text(), cause);
    }
    CallRefusal.Violation first = refusal.violations().get(0);
    return new InvalidRequestException(first.field(), first.rule(), refusal.details(), cause);
  }
}
