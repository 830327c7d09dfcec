package io.kairos.client.push;

import io.kairos.api.push.PushHeaders;
import io.kairos.client.worker.FatalFailure;
import io.kairos.client.worker.RetryLater;
import java.time.Duration;
import java.util.Map;

/**
 * What a node is answered by HTTP.
 *
 * @param headers beside the type and the length
 * @param text the result, or why it failed
 */
record Answer(int status, Map<String, String> headers, String text) {
  private static final String RETRY_AFTER = "retry-after";

  static Answer of(Reply reply) {
    return reply.isLater()
        ? new Answer(202, Map.of(PushHeaders.COMPLETION, PushHeaders.LATER), "")
        : new Answer(200, Map.of(), reply.result());
  }

  static Answer of(Exception failure) {
    if (failure instanceof FatalFailure) {
      return new Answer(410, Map.of(), words(failure));
    }
    if (failure instanceof RetryLater later) {
      Map<String, String> headers =
          later.delay().map(delay -> Map.of(RETRY_AFTER, seconds(delay))).orElse(Map.of());
      return new Answer(503, headers, words(failure));
    }
    return new Answer(500, Map.of(), words(failure));
  }

  /** It has been performed before. */
  static Answer duplicate() {
    return new Answer(200, Map.of(PushHeaders.DUPLICATE, "true"), "");
  }

  /** Another thread is at it: how that ends is not known yet. */
  static Answer running() {
    return new Answer(409, Map.of(RETRY_AFTER, "1"), "the execution is being performed");
  }

  static Answer notVerified(NotVerifiedException why) {
    return new Answer(401, Map.of(), words(why));
  }

  static Answer tooLarge(int mostBytes) {
    return new Answer(413, Map.of(), "the body has more than " + mostBytes + " bytes");
  }

  private static String words(Exception failure) {
    String message = failure.getMessage();
    return message == null ? failure.getClass().getName() : message;
  }

  /** Never earlier than asked for. */
  private static String seconds(Duration delay) {
    return Long.toString(delay.plusNanos(999_999_999).toSeconds());
  }
}
