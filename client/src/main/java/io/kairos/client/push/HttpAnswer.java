package io.kairos.client.push;

import io.kairos.api.push.PushHeaders;
import io.kairos.client.handler.FatalFailure;
import io.kairos.client.handler.RetryLater;
import io.kairos.client.handler.Snooze;
import java.time.Duration;
import java.util.Map;

/**
 * The HTTP answer to a node.
 *
 * @param headers headers apart from content type and length
 * @param text the result, or the error text
 */
record HttpAnswer(int status, Map<String, String> headers, String text) {
  private static final String RETRY_AFTER = "retry-after";

  static HttpAnswer of(PushReply reply) {
    return reply.isLater()
        ? new HttpAnswer(202, Map.of(PushHeaders.COMPLETION, PushHeaders.LATER), "")
        : new HttpAnswer(200, Map.of(), reply.result());
  }

  static HttpAnswer of(Exception failure) {
    if (failure instanceof FatalFailure) {
      return new HttpAnswer(410, Map.of(), words(failure));
    }
    if (failure instanceof RetryLater later) {
      Map<String, String> headers =
          later.delay().map(delay -> Map.of(RETRY_AFTER, seconds(delay))).orElse(Map.of());
      return new HttpAnswer(503, headers, words(failure));
    }
    if (failure instanceof Snooze snooze) {
      return new HttpAnswer(
          503,
          Map.of(PushHeaders.COMPLETION, PushHeaders.SNOOZE, RETRY_AFTER, seconds(snooze.delay())),
          words(failure));
    }
    return new HttpAnswer(500, Map.of(), words(failure));
  }

  /** The execution has been performed before. */
  static HttpAnswer duplicate() {
    return new HttpAnswer(200, Map.of(PushHeaders.DUPLICATE, "true"), "");
  }

  /** Another thread performs the execution, and its outcome is not known yet. */
  static HttpAnswer running() {
    return new HttpAnswer(409, Map.of(RETRY_AFTER, "1"), "the execution is being performed");
  }

  static HttpAnswer notVerified(NotVerifiedException why) {
    return new HttpAnswer(401, Map.of(), words(why));
  }

  static HttpAnswer tooLarge(int mostBytes) {
    return new HttpAnswer(413, Map.of(), "the body has more than " + mostBytes + " bytes");
  }

  private static String words(Exception failure) {
    String message = failure.getMessage();
    return message == null ? failure.getClass().getName() : message;
  }

  /** Rounds up, so that the retry is never early. */
  private static String seconds(Duration delay) {
    return Long.toString(Math.max(0, delay.plusNanos(999_999_999).toSeconds()));
  }
}
