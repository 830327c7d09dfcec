package io.kairos.edge.ui;

import java.util.Locale;

/** A login by an issuer fails. The login page shows the problem, and the log the reason. */
final class LoginFailedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final Problem problem;

  /** The kind of failure, which the login page is told as a word in its URL. */
  enum Problem {
    /** The issuer has refused the person, or the person has. */
    DENIED,
    /**
     * It took longer than ten minutes, was begun in another browser, or the process was restarted.
     */
    EXPIRED,
    /** The issuer does not answer, or with an error. */
    PROVIDER,
    /** The process has not fetched the keys by which it judges the ID token yet. */
    KEYS,
    /** The ID token is wrong. */
    TOKEN,
    /** The person has no role here. */
    ROLES,
    /** Too many people log in at the moment. */
    BUSY;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  LoginFailedException(Problem problem, String why) {
    super(why, null, false, false);
    this.problem = problem;
  }

  Problem problem() {
    return problem;
  }
}
