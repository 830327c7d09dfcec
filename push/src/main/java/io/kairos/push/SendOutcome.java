package io.kairos.push;

import io.kairos.domain.pool.AnswerRules.Answer;

/** The outcome of sending a request. */
sealed interface SendOutcome {
  /** The endpoint has answered. */
  record Answered(Answer answer, long tookNanos) implements SendOutcome {}

  /** Nothing has reached the endpoint, so another one may be tried at once. */
  record NotSent(String error) implements SendOutcome {}

  /** The request cannot be sent to any endpoint. */
  record Impossible(String error) implements SendOutcome {}

  /** The endpoint may have executed the request or not. */
  record Unknown(String error) implements SendOutcome {}
}
