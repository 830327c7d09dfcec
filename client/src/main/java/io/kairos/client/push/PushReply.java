package io.kairos.client.push;

import java.util.Objects;

/** The answer of a receiver that did not fail. */
public final class PushReply {
  private static final PushReply DONE = new PushReply("", false);
  private static final PushReply LATER = new PushReply("", true);

  private final String result;
  private final boolean later;

  private PushReply(String result, boolean later) {
    this.result = Objects.requireNonNull(result, "result");
    this.later = later;
  }

  /** The execution is done. */
  public static PushReply done() {
    return DONE;
  }

  /** The execution is done, with this result; the node keeps the first 2,000 characters. */
  public static PushReply done(String result) {
    return new PushReply(result, false);
  }

  /**
   * The execution goes on after this answer, until a call with its {@linkplain Push#completionToken
   * token} ends it. When no such call comes in time, the execution is pushed again.
   */
  public static PushReply later() {
    return LATER;
  }

  String result() {
    return result;
  }

  boolean isLater() {
    return later;
  }
}
