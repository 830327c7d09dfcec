package io.kairos.server.wiring;

import io.kairos.api.tls.CertificateFiles;
import io.kairos.consensus.RatisConfig;
import io.kairos.consensus.ReplicaAddress;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.edge.access.HttpConfig;
import io.kairos.edge.cron.ReplicaFacts;
import io.kairos.engine.cron.AgreedTimeConfig;
import io.kairos.engine.setting.ConfigRecord;
import io.kairos.engine.setting.Setting;
import io.kairos.push.PushConfig;
import io.kairos.server.config.DocumentedSetting;
import io.kairos.server.config.LoggingConfig;
import io.kairos.server.config.SettingSources;
import io.kairos.server.config.SettingsReader;
import io.kairos.server.effect.EdgeAccess;
import io.kairos.server.replica.HashgraphSettings;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The whole configuration of a replica of a replicated cron. */
public record ReplicaConfig(
    RatisConfig log,
    @Setting(
            key = LOG,
            defaultValue = "ratis",
            description =
                "How replicas agree on one order, the same for all. With ratis replicas may fail by stopping, fewer than half of them. With hashgraph, which is Byzantine fault tolerant, they may do anything, fewer than a third of four, seven or ten; that needs the add-on kairos-hashgraph, TLS and signing keys.")
        LogKind kind,
    Optional<HashgraphSettings> hashgraph,
    AgreedTimeConfig time,
    @Setting(
            key = "replica.max-state-bytes",
            defaultValue = "67108864",
            min = "67108864",
            max = "1073741824",
            description =
                "Most bytes of the state, in which each entry, each 50 fires of a table and each page of a module has 128 bytes beside its content. These have a half of it, and what needs more is refused. The same for all replicas. The heap should be eight times as large plus 400 MiB.")
        long maxStateBytes,
    @Setting(
            key = EDGES,
            format = ReplicaAddress.Format.class,
            description =
                "HTTP edges of all replicas, in the order of replica.peers. With them, replicas detect a peer of another cluster, and a replica that stops because its state differs can report where the difference began.")
        List<ReplicaAddress> edges,
    @Setting(
            key = "replica.edge-token",
            description =
                "Token for the edges of the other replicas, with the role read; never shown. KAIROS_REPLICA_EDGE_TOKEN_FILE names a file that holds it.")
        Optional<String> edgeToken,
    @Setting(
            key = "replica.action-budget",
            defaultValue = "0.1s",
            min = "0.000001s",
            description =
                "Longest time that an action should take. A longer action is counted and named in the log, because nothing else is executed meanwhile.")
        Duration actionBudget,
    @Setting(
            key = "replica.modules",
            description =
                "Jars, or folders of jars, with modules in Java; the same for all replicas.")
        List<Path> modules,
    Optional<EdgeAccess> node,
    @Setting(
            key = NODE_CA,
            description =
                "PEM file of the CA certificates that are trusted when this replica calls replica.node or another replica's HTTP edge by https; those of the JVM when left out. With http.tls it shows its own certificate there, and calls the other replicas by https. Read again when it changes.")
        Optional<Path> nodeCa,
    @Setting(
            key = "replica.schedules",
            defaultValue = "false",
            description =
                "Whether this cron decides the schedules of replica.node whose decider is REPLICATED.")
        boolean decidesSchedules,
    @Setting(
            key = ALLOW_NONE,
            defaultValue = "false",
            description =
                "Only with replica.log: ratis. Whether replicas on other machines may talk without TLS. Everybody who reaches their ports then controls the cluster.")
        boolean allowsPlain,
    HttpConfig http,
    LoggingConfig logging,
    PushConfig push) {
  public static final String EDGES = "replica.edges";
  private static final String LOG = "replica.log";
  private static final String ALLOW_NONE = "replica.tls.allow-none";
  private static final String NODE_CA = "replica.node-ca";

  /** The fewest replicas of which one may lie. */
  private static final int FEWEST_WITH_A_LIAR = 4;

  /** More were not simulated. */
  private static final int MOST_WITH_LIARS = 10;

  /** How replicas agree on one order. */
  public enum LogKind {
    RATIS,
    HASHGRAPH;

    /** The name of the add-on that has it. */
    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Default port, which differs from a node's. */
  public static final String HTTP_PORT = "7171";

  /** Throws {@link IllegalArgumentException} that names the settings in conflict. */
  public ReplicaConfig {
    ConfigRecord.check(
        ReplicaConfig.class,
        log,
        kind,
        hashgraph,
        time,
        maxStateBytes,
        edges,
        edgeToken,
        actionBudget,
        modules,
        node,
        nodeCa,
        decidesSchedules,
        allowsPlain,
        http,
        logging,
        push);
    edges = List.copyOf(edges);
    modules = List.copyOf(modules);
    int peers = log.replicas().size();
    require(!decidesSchedules || node.isPresent(), "replica.schedules is set without replica.node");
    require(
        !decidesSchedules || time.isOn(),
        "replica.schedules is set and replica.time is off: schedules are due by agreed time");
    require(
        peers != 2,
        RatisConfig.PEERS
            + " has two places: both would stop when either is away. Name one, three or five");
    require(
        edges.isEmpty() || edges.size() == peers,
        EDGES + " must have as many places as " + RatisConfig.PEERS);
    if (kind == LogKind.HASHGRAPH) {
      requireHashgraph(log, hashgraph, allowsPlain);
    } else {
      require(
          hashgraph.isEmpty(), "the keys below replica.hashgraph belong to " + LOG + ": hashgraph");
    }
    // Without TLS, everybody who reaches a replica's port controls the cluster.
    require(
        log.tls().isPresent()
            || allowsPlain
            || log.replicas().stream().allMatch(ReplicaConfig::isLoopback),
        RatisConfig.PEERS
            + " has a place on other machines, and there is no TLS: set the three keys below replica.tls, or"
            + " "
            + ALLOW_NONE
            + " where nobody else reaches that network");
  }

  private static void requireHashgraph(
      RatisConfig log, Optional<HashgraphSettings> hashgraph, boolean allowsPlain) {
    int peers = log.replicas().size();
    require(
        peers >= FEWEST_WITH_A_LIAR && peers <= MOST_WITH_LIARS && peers % 3 == 1,
        LOG
            + ": hashgraph needs four, seven or ten places in "
            + RatisConfig.PEERS
            + ", of which one, two or three may lie; more tolerate no more liars, up to the next of these numbers");
    List<String> ofRatis = new ArrayList<>(log.limits().setForRatis());
    if (allowsPlain) {
      ofRatis.add(ALLOW_NONE);
    }
    require(
        ofRatis.isEmpty(),
        "%s: hashgraph has no use for %s: leave out what only Ratis has"
            .formatted(LOG, String.join(" and ", ofRatis)));
    require(
        log.tls().isPresent(),
        LOG
            + ": hashgraph needs TLS between replicas, on one machine too: set the three keys below replica.tls");
    require(
        hashgraph.isPresent(),
        LOG
            + ": hashgraph needs %s and %s; \"kairos replica keys FILE\" makes a pair"
                .formatted(HashgraphSettings.SIGNING_KEY, HashgraphSettings.PUBLIC_KEYS));
    require(
        hashgraph.orElseThrow().publicKeys().size() == peers,
        HashgraphSettings.PUBLIC_KEYS + " must have as many keys as " + RatisConfig.PEERS);
  }

  /**
   * Reads and checks everything.
   *
   * @throws io.kairos.server.config.ConfigurationException with all problems together
   */
  public static ReplicaConfig read(SettingsReader settings) {
    Optional<ReplicaConfig> config =
        settings.withDefault(HttpConfig.PORT, HTTP_PORT).bind(ReplicaConfig.class);
    settings.finish();
    return config.orElseThrow();
  }

  /** Every setting of a replica. */
  public static List<DocumentedSetting> documented() {
    SettingsReader settings = new SettingsReader(SettingSources.none());
    var _ = read(settings);
    return settings.documented();
  }

  /** How many replicas there are, and what they are trusted with. */
  ReplicaGroup cluster() {
    return new ReplicaGroup(
        log.replicas().size(),
        kind == LogKind.HASHGRAPH ? ReplicaGroup.Faults.BYZANTINE : ReplicaGroup.Faults.CRASH);
  }

  /** What must be done before a start without the directory; the end of a sentence. */
  String beforeEmptyStart() {
    return kind == LogKind.HASHGRAPH
        ? " and set %s to true, or this replica would sign contradictions"
            .formatted(HashgraphSettings.FORGOTTEN)
        : "";
  }

  /** The directory of this replica's log and state; no other replica may use it. */
  public Path dataDirectory() {
    return log.directory();
  }

  /** The certificates of this replica's calls to edges. */
  CertificateFiles callFiles() {
    return new CertificateFiles(
        http.tls().flatMap(tls -> tls.files().own()),
        nodeCa.map(file -> new CertificateFiles.PemFile(NODE_CA, file)));
  }

  /** The URLs of all replicas' HTTP edges, which all have TLS or none. */
  List<URI> edgeUrls() {
    return edges.stream().map(each -> URI.create(http.scheme() + "://" + each)).toList();
  }

  /** The node whose schedules this replica decides; empty when it decides none. */
  Optional<EdgeAccess> scheduleNode() {
    return decidesSchedules ? node : Optional.empty();
  }

  /** The replica's place in its cluster, with this leader. */
  ReplicaFacts facts(@Nullable ReplicaId leader) {
    List<ReplicaFacts.Peer> peers = new ArrayList<>();
    for (int number = 0; number < log.replicas().size(); number++) {
      peers.add(
          new ReplicaFacts.Peer(
              new ReplicaId(number),
              log.replicas().get(number).toString(),
              edges.isEmpty() ? "" : edges.get(number).toString()));
    }
    return new ReplicaFacts(log.clusterName(), log.self(), peers, time.isOn(), leader);
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }

  private static boolean isLoopback(ReplicaAddress place) {
    return place.host().equals("localhost")
        || place.literal().filter(InetAddress::isLoopbackAddress).isPresent();
  }
}
