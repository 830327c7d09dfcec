package io.kairos.postgres;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The highest timeline that this node has seen of each database cluster. A primary on a lower one
 * was replaced by a standby and came back: nothing may be written to it. Shared by all connections
 * of a node, and asked for each new one, on any thread.
 */
final class ServerTimelines {
  private static final Logger log = LoggerFactory.getLogger(ServerTimelines.class);
  static final String NOT_IN_PREREQUISITE_STATE = "55000";

  @GuardedBy("this")
  private final Map<String, Integer> highest = new HashMap<>();

  /** Servers, with their timelines, that were warned of. */
  @GuardedBy("this")
  private final Set<String> warnedOf = new HashSet<>();

  private volatile Runnable onFailover = () -> {};

  /** Sets what happens when a higher timeline is seen, such as dropping the older connections. */
  void onFailover(Runnable action) {
    onFailover = action;
  }

  /** True when a primary has been seen. */
  synchronized boolean isKnown() {
    return !highest.isEmpty();
  }

  /**
   * Notes a server's timeline.
   *
   * @throws SQLException when the server is a standby or was replaced as the primary
   */
  void admit(ServerState state) throws SQLException {
    if (state.inRecovery()) {
      throw new SQLException(
          state.server()
              + " is a standby, which takes no writes: postgres.url must name the primary, or all servers",
          NOT_IN_PREREQUISITE_STATE);
    }
    int before;
    boolean first;
    synchronized (this) {
      before = highest.getOrDefault(state.cluster(), 0);
      highest.put(state.cluster(), Math.max(before, state.timeline()));
      first = warnedOf.add(state.server() + " " + state.timeline());
    }
    if (state.timeline() < before) {
      refuse(state, before, first);
    }
    if (first && state.asynchronous()) {
      log.atWarn()
          .addKeyValue("server", state.server())
          .log(
              "The database has standbys and waits for none of them (synchronous_standby_names is empty): a failover loses what was acknowledged last. Set synchronous_standby_names = 'ANY 1 (*)' on every server");
    }
    if (before > 0 && state.timeline() > before) {
      log.atInfo()
          .addKeyValue("server", state.server())
          .addKeyValue("timeline", state.timeline())
          .log("The database has failed over to this server");
      onFailover.run();
    }
  }

  private static void refuse(ServerState state, int highest, boolean first) throws SQLException {
    String why =
        "%s is an old primary on timeline %d, and timeline %d was seen: what is written there would be lost. Stop it, and let it follow the new primary (pg_rewind)"
            .formatted(state.server(), state.timeline(), highest);
    if (first) {
      log.warn("Not used: {}", why);
    }
    throw new SQLException(why, NOT_IN_PREREQUISITE_STATE);
  }
}
