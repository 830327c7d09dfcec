package io.kairos.postgres.sql;

import io.kairos.engine.node.StoreUnavailable;
import java.sql.SQLException;
import java.util.regex.Pattern;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Makes error texts for failures of the database, without secrets and without payload. */
public final class FailureText {
  /** The SQLState of a statement that has waited for a lock for too long. */
  public static final String LOCK_TIMEOUT = "55P03";

  /** The SQLState of a statement that has taken too long. */
  public static final String QUERY_CANCELLED = "57014";

  private static final Pattern URL = Pattern.compile("jdbc:postgresql:\\S*");
  private static final Pattern SECRET =
      Pattern.compile("(?i)(password|passwd|pwd|sslpassword)\\s*=\\s*[^\\s&;,)]+");

  private FailureText() {}

  /**
   * Returns an exception that names the attempted operation, the SQLState if there is one, and the
   * text of the database.
   */
  public static StoreUnavailable unavailable(String what, SQLException e) {
    return new StoreUnavailable(describe(what, e), scrubbed(e));
  }

  /** Returns true when a statement gave up waiting for a lock, so that nothing has changed. */
  public static boolean isLockTimeout(StoreUnavailable failure) {
    return failure.getCause() instanceof SQLException e && LOCK_TIMEOUT.equals(e.getSQLState());
  }

  /** Returns true when a statement took too long and was cancelled, so that nothing has changed. */
  public static boolean isCancelled(StoreUnavailable failure) {
    return failure.getCause() instanceof SQLException e && QUERY_CANCELLED.equals(e.getSQLState());
  }

  static String describe(String what, SQLException e) {
    String state = e.getSQLState();
    return what + " failed" + (state == null ? "" : " (SQLState " + state + ")") + ": " + words(e);
  }

  private static String words(SQLException e) {
    Throwable cause = e.getCause();
    return cause instanceof SQLException inner && inner.getMessage() != null
        ? of(e) + " (" + of(inner) + ")"
        : of(e);
  }

  /** Returns the text of the database; an application's driver may add the values of the row. */
  public static String of(SQLException e) {
    ServerErrorMessage server =
        e instanceof PSQLException driver ? driver.getServerErrorMessage() : null;
    return scrub(
        server == null
            ? String.valueOf(e.getMessage())
            : server.getSeverity() + ": " + server.getMessage());
  }

  static String scrub(String text) {
    return SECRET.matcher(URL.matcher(text).replaceAll("jdbc:postgresql:…")).replaceAll("$1=…");
  }

  /** Copies the stack of the original and its scrubbed text: no other text may be logged. */
  private static SQLException scrubbed(SQLException e) {
    SQLException copy = new SQLException(of(e), e.getSQLState(), e.getErrorCode());
    copy.setStackTrace(e.getStackTrace());
    return copy;
  }
}
