package io.kairos.edge.caller;

import io.grpc.StatusRuntimeException;

/** The outcome of a look at a request's credentials. */
public sealed interface Recognition {
  /** They are a caller's. */
  record Known(Caller caller) implements Recognition {}

  /** There are none. */
  record Missing() implements Recognition {}

  /**
   * They are nobody's.
   *
   * @param told for the caller, who may be a stranger: no more than that the token is unknown or
   *     has expired
   * @param why for the node's log: what is wrong, without the token
   */
  record Wrong(String told, String why) implements Recognition {
    static Wrong unknown(String why) {
      return new Wrong("the token is unknown", why);
    }

    static Wrong expired(String why) {
      return new Wrong("the token has expired", why);
    }
  }

  /**
   * They cannot be judged for now, because what is needed for it is being fetched.
   *
   * @param why for the caller
   */
  record Undecided(String why) implements Recognition {}

  /**
   * They are a session's, which does not stand for anybody in this request. Unlike a token it
   * cannot be guessed, so it is not counted as wrong.
   *
   * @param why for the caller
   */
  record Refused(StatusRuntimeException why) implements Recognition {}
}
