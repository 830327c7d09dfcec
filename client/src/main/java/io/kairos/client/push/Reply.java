package io.kairos.client.push;

import java.util.Objects;

/** What a receiver answers when nothing went wrong. */
public final class Reply {
  private static final Reply DONE = new Reply("", false);
  private static final Reply LATER = new Reply("", true);

  private final String result;
  private final boolean later;

  private Reply(String result, boolean later) {
    this.result = Objects.requireNonNull(result, "result");
    this.later = later;
  }

  /** It has been done. */
  public static Reply done() {
    return DONE;
  }

  /** It has been done, and this is what came of it; a node keeps its first 2,000 characters. */
  public static Reply done(String result) {
    return new Reply(result, false);
  }

  /**
   * It goes on after this answer and is ended by its {@linkplain Push#completionToken token}; when
   * that does not come in time it is pushed again.
   */
  public static Reply later() {
    return LATER;
  }

  String result() {
    return result;
  }

  boolean isLater() {
    return later;
  }
}
