package io.kairos.server.wiring;

import io.kairos.consensus.RatisConfig;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.server.config.HttpConfig;
import io.kairos.server.config.LoggingConfig;
import io.kairos.server.config.PushKeys;
import io.kairos.server.config.Setting;
import io.kairos.server.config.Settings;
import io.kairos.server.config.Sources;
import io.kairos.server.edge.cron.ReplicaFacts;
import io.kairos.server.effect.EdgeAccess;
import io.kairos.server.push.PushConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The whole configuration of a replica of a replicated cron, checked.
 *
 * @param log its end of the log, and the directory in which all is that it keeps
 * @param edges addresses of the HTTP edges of all replicas, as {@code host:port}, in the order of
 *     their numbers; empty when they are not told
 * @param edgeToken for the edges of the others, with the role read
 * @param actionBudget how long an action may take
 * @param modules jars, or folders of jars, with modules of users
 * @param node where tasks and messages are asked for
 * @param decidesSchedules whether it also has schedules decided there
 * @param push where pushes may go
 * @param effective every key with its value and origin
 */
public record ReplicaConfig(
    RatisConfig log,
    List<String> edges,
    Optional<String> edgeToken,
    Duration actionBudget,
    List<Path> modules,
    Optional<EdgeAccess> node,
    boolean decidesSchedules,
    PushConfig push,
    HttpConfig http,
    LoggingConfig logging,
    List<Setting> effective) {
  /** Beside a node's. */
  static final int DEFAULT_PORT = 7171;

  public ReplicaConfig {
    edges = List.copyOf(edges);
    modules = List.copyOf(modules);
    effective = List.copyOf(effective);
  }

  /**
   * Reads and checks everything.
   *
   * @throws io.kairos.server.config.ConfigurationException with all problems together
   */
  static ReplicaConfig read(Sources sources) {
    Settings settings = new Settings(sources);
    Optional<ReplicaKeys> keys = ReplicaKeys.read(settings);
    Optional<HttpConfig> http = HttpConfig.read(settings, DEFAULT_PORT);
    LoggingConfig logging = LoggingConfig.read(settings);
    Optional<PushConfig> push =
        PushKeys.read(
            settings, http.map(HttpConfig::address).orElse(null), Runtime.getRuntime().maxMemory());
    settings.finish();
    ReplicaKeys own = keys.orElseThrow();
    return new ReplicaConfig(
        own.log(),
        own.edges(),
        own.edgeToken(),
        own.actionBudget(),
        own.modules(),
        own.node(),
        own.decidesSchedules(),
        push.orElseThrow(),
        http.orElseThrow(),
        logging,
        settings.effective());
  }

  /** Where this replica, and no other, keeps what it has. */
  Path dataDirectory() {
    return log.directory();
  }

  /** The node whose schedules it has decided, if it does so. */
  Optional<EdgeAccess> scheduleNode() {
    return decidesSchedules ? node : Optional.empty();
  }

  /** Where it is among the others, under this leader. */
  ReplicaFacts facts(@Nullable ReplicaId leader) {
    List<ReplicaFacts.Peer> peers = new ArrayList<>();
    for (int number = 0; number < log.replicas().size(); number++) {
      peers.add(
          new ReplicaFacts.Peer(
              new ReplicaId(number),
              log.replicas().get(number).toString(),
              edges.isEmpty() ? "" : edges.get(number)));
    }
    return new ReplicaFacts(log.clusterName(), log.self(), peers, leader);
  }
}
