package io.kairos.server.push;

import io.kairos.domain.pool.AnswerRules.Answer;

/** How sending a request ended. */
sealed interface Sent {
  /** The endpoint has said something. */
  record Answered(Answer answer, long tookNanos) implements Sent {}

  /** Nothing has reached it: any other may be asked at once. */
  record NotSent(String error) implements Sent {}

  /** It can be sent to nobody, whatever the endpoint. */
  record Impossible(String error) implements Sent {}

  /** It may have done what it was asked for, or may not (PH-31). */
  record Unknown(String error) implements Sent {}
}
