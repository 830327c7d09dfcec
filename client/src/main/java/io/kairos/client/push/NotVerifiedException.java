package io.kairos.client.push;

/** A request is not by who knows a secret, or it is an old one: answer 401 and do nothing. */
public final class NotVerifiedException extends Exception {
  private static final long serialVersionUID = 1;

  NotVerifiedException(String why) {
    super(why);
  }
}
