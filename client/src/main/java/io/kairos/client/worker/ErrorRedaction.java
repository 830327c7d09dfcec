package io.kairos.client.worker;

/**
 * Takes from the errors of attempts what must not leave the application, before they are encrypted
 * and reported. Called on executor threads, concurrently. When it throws, message and stack are
 * withheld.
 */
@FunctionalInterface
public interface ErrorRedaction {
  /** Reports errors as they are. */
  ErrorRedaction NONE = error -> error;

  /** Reports no stacks. */
  ErrorRedaction WITHOUT_STACK =
      error -> new ReportedError(error.handler(), error.errorClass(), error.message(), "");

  ReportedError redact(ReportedError error);

  /**
   * An error as nodes are to keep it.
   *
   * @param handler name of the handler that failed; a change of it has no effect
   * @param errorClass class of the exception, or what the handler has given
   * @param message message with those of the causes; nodes keep 2,000 characters
   * @param stack stack trace with those of the causes; nodes keep 8,000 characters; empty for none
   */
  record ReportedError(String handler, String errorClass, String message, String stack) {}
}
