package io.kairos.client;

import io.kairos.client.error.AccessDeniedException;
import io.kairos.client.error.InvalidRequestException;
import io.kairos.client.error.KairosException;
import io.kairos.client.error.NodesUnavailableException;
import io.kairos.client.error.QuotaExceededException;
import io.kairos.client.error.TaskConflictException;
import io.kairos.client.error.TaskNotFoundException;
import io.kairos.client.error.UnknownMethodException;
import io.kairos.client.net.CallRefusal;
import org.jspecify.annotations.Nullable;

/**
 * Maps failures of a call to exceptions of the client.
 *
 * @param method full name of the called method, for messages
 * @param addresses of the client's nodes
 * @param without addresses of those nodes that do not do what the call asks for; empty for none
 */
record CallFailures(String method, String addresses, String without) {

  KairosException exceptionOf(CallRefusal refusal, @Nullable Throwable cause) {
    String text = refusal.text();
    return switch (refusal.code()) {
      case INVALID_ARGUMENT, OUT_OF_RANGE -> invalid(refusal, cause);
      case UNIMPLEMENTED ->
          refusal.violations().isEmpty()
              ? new UnknownMethodException(
                  "%s is known to none of %s: they are older than this client, or serve something else (%s)"
                      .formatted(method, without, text),
                  cause)
              : invalid(refusal, cause);
      case NOT_FOUND -> new TaskNotFoundException(text, cause);
      case ALREADY_EXISTS, FAILED_PRECONDITION, ABORTED -> new TaskConflictException(text, cause);
      case UNAUTHENTICATED, PERMISSION_DENIED -> new AccessDeniedException(text, cause);
      case RESOURCE_EXHAUSTED -> new QuotaExceededException(text, refusal.retryAfter(), cause);
      case UNAVAILABLE ->
          new NodesUnavailableException(unavailable(refusal), !refusal.nothingDone(), cause);
      case DEADLINE_EXCEEDED ->
          new NodesUnavailableException("no answer from " + addresses + ": " + text, true, cause);
      default -> new KairosException(text, cause);
    };
  }

  /** Returns a node's own words, or the failure to connect. */
  private String unavailable(CallRefusal refusal) {
    String others = without.isEmpty() ? "" : "; not known to " + without;
    Throwable root = refusal.cause();
    if (root == null) {
      return refusal.text() + others;
    }
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return "no node answers at " + addresses + ": " + root.getMessage() + others;
  }

  private static InvalidRequestException invalid(CallRefusal refusal, @Nullable Throwable cause) {
    if (refusal.violations().isEmpty()) {
      return new InvalidRequestException("", refusal.text(), cause);
    }
    CallRefusal.Violation first = refusal.violations().get(0);
    return new InvalidRequestException(first.field(), first.rule(), refusal.details(), cause);
  }
}
