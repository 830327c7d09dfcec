package io.kairos.postgres.sql;

/**
 * A row has a code that this version does not know, perhaps because a newer version has written it.
 * Not an {@link IllegalStateException}, which would end the node: only what reads the row fails.
 */
public final class UnknownCode extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /**
   * @param what that has the code, such as a routing
   */
  public UnknownCode(String what, String code) {
    super("this version knows no " + what + " " + code);
  }
}
