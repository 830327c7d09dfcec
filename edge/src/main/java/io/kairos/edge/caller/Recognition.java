package io.kairos.edge.caller;

/** What became of a request's credentials. */
public sealed interface Recognition {
  /** They are a caller's. */
  record Known(Caller caller) implements Recognition {}

  /** There are none. */
  record Missing() implements Recognition {}

  /**
   * They are nobody's.
   *
   * @param why for the caller: what is wrong, without the token
   */
  record Wrong(String why) implements Recognition {}

  /**
   * They cannot be judged for now, because what is needed for it is being fetched.
   *
   * @param why for the caller
   */
  record Undecided(String why) implements Recognition {}
}
