package io.kairos.postgres;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
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

  /** Old primaries, with their timelines, that were warned of. */
  @GuardedBy("this")
  private final Set<String> refused = new HashSet<>();

  /** Servers whose standbys no commit waits for, as of the last connection. */
  @GuardedBy("this")
  private final Set<String> asynchronous = new HashSet<>();

  /** Connections, for as long as somebody has them, and what their servers were. */
  @GuardedBy("this")
  private final Map<Connection, ServerState> connections = new WeakHashMap<>();

  /** True when a primary has been seen. */
  synchronized boolean isKnown() {
    return !highest.isEmpty();
  }

  /**
   * Notes a server's timeline. When it is a higher one, ends the connections on lower ones, in
   * whatever hands they are.
   *
   * @throws SQLException when the server is a standby or was replaced as the primary
   */
  void admit(ServerState state, Connection connection) throws SQLException {
    if (state.inRecovery()) {
      throw new SQLException(
          state.server()
              + " is a standby, which takes no writes: postgres.url must name the primary, or all servers",
          NOT_IN_PREREQUISITE_STATE);
    }
    int before;
    boolean warns;
    List<Connection> former = new ArrayList<>();
    synchronized (this) {
      before = highest.getOrDefault(state.cluster(), 0);
      if (state.timeline() < before) {
        throw replaced(state, before);
      }
      highest.put(state.cluster(), state.timeline());
      warns = state.asynchronous() && !asynchronous.contains(state.server());
      asynchronous.remove(state.server());
      if (state.asynchronous()) {
        asynchronous.add(state.server());
      }
      connections.put(connection, state);
      connections.forEach((open, of) -> {
        if (of.cluster().equals(state.cluster()) && of.timeline() < state.timeline()) {
          former.add(open);
        }
      });
      connections.keySet().removeAll(former);
    }
    if (warns) {
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
    }
    for (Connection one : former) {
      one.abort(Runnable::run);
    }
  }

  @GuardedBy("this")
  private SQLException replaced(ServerState state, int highest) {
    String why =
        "%s is an old primary on timeline %d, and timeline %d was seen: what is written there would be lost. Stop it, and let it follow the new primary (pg_rewind)"
            .formatted(state.server(), state.timeline(), highest);
    if (refused.add(state.server() + " " + state.timeline())) {
      log.warn("Not used: {}", why);
    }
    return new SQLException(why, NOT_IN_PREREQUISITE_STATE);
  }
}
