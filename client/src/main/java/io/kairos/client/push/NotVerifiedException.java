package io.kairos.client.push;

/** A request is not signed with a known secret, or is too old: answer 401 and do nothing. */
public final class NotVerifiedException extends Exception {
  private static final long serialVersionUID = 1;

  NotVerifiedException(String why) {
    super(why);
  }
}
