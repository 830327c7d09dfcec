package io.kairos.server.wiring;

import static java.util.Objects.requireNonNull;

import io.kairos.consensus.RatisConfig;
import io.kairos.consensus.ReplicaAddress;
import io.kairos.consensus.TlsFiles;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.OrderedExecution;
import io.kairos.server.config.Kind;
import io.kairos.server.config.Settings;
import io.kairos.server.effect.EdgeAccess;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads what is below {@code replica}. */
record ReplicaKeys(
    RatisConfig log,
    List<String> edges,
    Optional<String> edgeToken,
    Duration actionBudget,
    List<Path> modules,
    Optional<EdgeAccess> node,
    boolean decidesSchedules) {
  static final String CLUSTER = "replica.cluster";
  static final String ID = "replica.id";
  static final String PEERS = "replica.peers";
  static final String EDGES = "replica.edges";
  static final String DATA_DIRECTORY = "replica.data-dir";
  static final String DIGEST_EVERY = "replica.digest-every";

  /** Replicas are bits of a long in what is stored of them. */
  private static final int MOST_REPLICAS = 63;

  private static final int MOST_ENTRIES = 10_000_000;
  private static final Pattern PLACE =
      Pattern.compile("(\\[[0-9a-fA-F:.]+]|[^:\\[\\]\\s]+):(\\d{1,5})");

  /** It becomes part of ids and headers. */
  private static final Kind<String> NAME =
      new Kind<>(
          "name",
          "1 to 40 lower-case letters, digits and hyphens",
          text -> {
            if (!text.matches("[a-z0-9-]{1,40}")) {
              throw new IllegalArgumentException(text);
            }
            return text;
          },
          text -> text);

  private static final Kind<List<ReplicaAddress>> PLACES =
      new Kind<>(
          "places",
          "a list of host:port, separated by commas, in the order of the replicas' numbers",
          ReplicaKeys::places,
          ReplicaKeys::print);

  private static final Kind<List<Path>> PATHS =
      new Kind<>(
          "paths",
          "a list of files or folders, separated by commas",
          text -> words(text).stream().map(Path::of).toList(),
          paths -> paths.stream().map(Path::toString).collect(Collectors.joining(", ")));

  private static final Kind<URI> NODE =
      new Kind<>(
          "URL",
          "the URL of a node's HTTP edge, such as http://127.0.0.1:7070",
          ReplicaKeys::url,
          URI::toString);

  private static List<String> words(String text) {
    return Arrays.stream(text.split(",", -1))
        .map(String::trim)
        .filter(each -> !each.isEmpty())
        .toList();
  }

  private static List<ReplicaAddress> places(String text) {
    return words(text).stream()
        .map(each -> {
          Matcher matcher = PLACE.matcher(each);
          if (!matcher.matches()) {
            throw new IllegalArgumentException(each);
          }
          return new ReplicaAddress(
              requireNonNull(matcher.group(1)), Integer.parseInt(requireNonNull(matcher.group(2))));
        })
        .toList();
  }

  private static String print(List<ReplicaAddress> places) {
    return places.stream().map(ReplicaAddress::toString).collect(Collectors.joining(", "));
  }

  private static URI url(String text) {
    URI url = URI.create(text);
    boolean known = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
    if (!known
        || url.getHost() == null
        || !"".equals(url.getRawPath())
        || url.getRawQuery() != null) {
      throw new IllegalArgumentException(text);
    }
    return url;
  }

  /**
   * Asks for every key below {@code replica}.
   *
   * @return empty when there are problems, which the settings know
   */
  static Optional<ReplicaKeys> read(Settings settings) {
    String cluster =
        settings.value(
            CLUSTER,
            NAME,
            "kairos",
            "Name of the cluster, the same for all of its replicas; those of others are not listened to. Part of the ids by which tasks, messages and pushes are known outside.");
    int id =
        settings.value(
            ID,
            Kind.number(0, MOST_REPLICAS - 1),
            0,
            "Number of this replica: which of replica.peers it is, counted from 0.");
    List<ReplicaAddress> peers =
        settings.value(
            PEERS,
            PLACES,
            List.of(new ReplicaAddress("127.0.0.1", 7172)),
            "Where each replica listens for the others, as host:port, in the order of their numbers and the same for all. One, three or five: an even number bears no more failures than one less, and two are refused. Fixed for the life of the cluster.");
    List<ReplicaAddress> edges =
        settings.value(
            EDGES,
            PLACES,
            List.of(),
            "Where the HTTP edge of each replica is, in the same order. With it replicas find one of another cluster among them, and one that stops because its state differs can say where that began.");
    Optional<String> edgeToken =
        settings.optional(
            "replica.edge-token",
            Kind.TEXT,
            "Token for the edges of the other replicas, with the role read; never shown. KAIROS_REPLICA_EDGE_TOKEN_FILE names a file that holds it.");
    Path directory =
        Path.of(
            settings.value(
                DATA_DIRECTORY,
                Kind.TEXT,
                "kairos-replica",
                "Where this replica, and no other, keeps its log and state. A relative path counts from the current folder."));
    Duration electionAfter =
        settings.value(
            "replica.election-after",
            Kind.DURATION,
            RatisConfig.Limits.DEFAULT.electionAfter(),
            "A replica stands for election when it has not heard of a leader for between this and twice this. Several times what a message between replicas takes.");
    int snapshotEvery =
        settings.value(
            "replica.snapshot-every",
            Kind.number(100, MOST_ENTRIES),
            Math.toIntExact(RatisConfig.Limits.DEFAULT.snapshotEvery()),
            "So many entries of the log the state is kept, and the log before it forgotten.");
    int digestEvery =
        settings.value(
            DIGEST_EVERY,
            Kind.number(1, 1_000_000),
            OrderedExecution.Config.DEFAULT.digestEvery(),
            "So many requests replicas compare their states. The same for all replicas.");
    Duration budget =
        settings.value(
            "replica.action-budget",
            Kind.DURATION,
            Duration.ofMillis(100),
            "An action that takes longer is counted and named: nothing else is executed meanwhile.");
    List<Path> modules =
        settings.value(
            "replica.modules",
            PATHS,
            List.of(),
            "Jars, or folders of jars, with modules in Java; the same for all replicas.");
    Optional<EdgeAccess> node = node(settings);
    boolean decidesSchedules =
        settings.value(
            "replica.schedules",
            Kind.FLAG,
            false,
            "Whether the schedules of that node whose decider is REPLICATED are decided by this cron.");
    if (decidesSchedules && node.isEmpty()) {
      settings.contradiction("replica.schedules is set without replica.node");
    }
    Optional<TlsFiles> tls = tls(settings);
    checkReach(settings, peers, tls.isPresent());
    if (peers.size() == 2) {
      settings.contradiction(
          PEERS + " has two places: both would stop when either is away. Name one, three or five");
    }
    if (!edges.isEmpty() && edges.size() != peers.size()) {
      settings.contradiction(EDGES + " must have as many places as " + PEERS);
    }
    return settings.build(() ->
        new ReplicaKeys(
            new RatisConfig(
                cluster,
                new ReplicaId(id),
                peers,
                directory,
                tls,
                new OrderedExecution.Config(
                    OrderedExecution.Config.DEFAULT.maxClients(), digestEvery),
                limits(electionAfter, snapshotEvery)),
            edges.stream().map(ReplicaAddress::toString).toList(),
            edgeToken,
            positive(budget),
            modules,
            node,
            decidesSchedules));
  }

  private static RatisConfig.Limits limits(Duration electionAfter, int snapshotEvery) {
    RatisConfig.Limits defaults = RatisConfig.Limits.DEFAULT;
    return new RatisConfig.Limits(
        electionAfter, snapshotEvery, defaults.answerWithin(), defaults.maxPending());
  }

  private static Duration positive(Duration budget) {
    if (!budget.isPositive()) {
      throw new IllegalArgumentException("replica.action-budget must be more than nothing");
    }
    return budget;
  }

  private static Optional<EdgeAccess> node(Settings settings) {
    Optional<URI> url =
        settings.optional(
            "replica.node",
            NODE,
            "HTTP edge of the Kairos node, or of what stands before several, that takes the tasks and messages of entries. Without it they wait.");
    Optional<String> token =
        settings.optional(
            "replica.node-token",
            Kind.TEXT,
            "Token for that node, with the role submit, and read for replica.schedules; never shown. KAIROS_REPLICA_NODE_TOKEN_FILE names a file that holds it.");
    if (token.isPresent() && url.isEmpty()) {
      settings.contradiction("replica.node-token is given without replica.node");
    }
    return url.map(each -> new EdgeAccess(each, token));
  }

  private static Optional<TlsFiles> tls(Settings settings) {
    Optional<String> key =
        settings.optional(
            "replica.tls.private-key-file",
            Kind.TEXT,
            "PEM file of this replica's private key (PKCS 8), for TLS between replicas.");
    Optional<String> chain =
        settings.optional(
            "replica.tls.certificate-file",
            Kind.TEXT,
            "PEM file of its certificate, and of those between it and a trusted one.");
    Optional<String> trusted =
        settings.optional(
            "replica.tls.trusted-file",
            Kind.TEXT,
            "PEM file of the certificates that are trusted: whoever has one of theirs is a replica.");
    long given = List.of(key, chain, trusted).stream().filter(Optional::isPresent).count();
    if (given == 0) {
      return Optional.empty();
    }
    if (given < 3) {
      settings.contradiction(
          "replica.tls.private-key-file, replica.tls.certificate-file and replica.tls.trusted-file go together");
      return Optional.empty();
    }
    return Optional.of(
        new TlsFiles(
            Path.of(key.orElseThrow()),
            Path.of(chain.orElseThrow()),
            Path.of(trusted.orElseThrow())));
  }

  /** Whoever reaches a replica's port without TLS owns the cluster. */
  private static void checkReach(Settings settings, List<ReplicaAddress> peers, boolean hasTls) {
    boolean isPlainAllowed =
        settings.value(
            "replica.tls.allow-none",
            Kind.FLAG,
            false,
            "Whether replicas on other machines may talk without TLS. Whoever reaches their ports then owns the cluster.");
    if (!hasTls && !isPlainAllowed && peers.stream().anyMatch(peer -> !isLoopback(peer.host()))) {
      settings.contradiction(
          PEERS
              + " has a place on other machines, and there is no TLS: set the three keys below replica.tls, or"
              + " replica.tls.allow-none where nobody else reaches that network");
    }
  }

  private static boolean isLoopback(String host) {
    if (host.equals("localhost")) {
      return true;
    }
    try {
      String literal = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
      return InetAddress.ofLiteral(literal).isLoopbackAddress();
    } catch (IllegalArgumentException _) {
      return false;
    }
  }
}
