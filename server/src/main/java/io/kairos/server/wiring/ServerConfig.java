package io.kairos.server.wiring;

import io.kairos.edge.access.HttpConfig;
import io.kairos.engine.audit.AuditConfig;
import io.kairos.engine.delay.setup.DelayConfig;
import io.kairos.engine.schedule.ScheduleConfig;
import io.kairos.engine.task.setup.TaskConfig;
import io.kairos.push.PoolFilesConfig;
import io.kairos.push.PushConfig;
import io.kairos.server.config.LoggingConfig;
import io.kairos.server.config.NodeConfig;
import io.kairos.server.config.RouteConfig;
import io.kairos.server.config.SettingSources;
import io.kairos.server.config.SettingsReader;
import io.kairos.server.config.TracingConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The whole configuration of a node.
 *
 * @param kafka null for a node without a broker, which has no routes
 * @param isBrokerLeftOut true when there is no broker because nothing names one, false when {@code
 *     none} is written
 */
public record ServerConfig(
    NodeConfig node,
    HttpConfig http,
    LoggingConfig logging,
    TracingConfig tracing,
    @Nullable BrokerChoice kafka,
    boolean isBrokerLeftOut,
    DatabaseChoice postgres,
    DelayConfig delay,
    TaskConfig tasks,
    ScheduleConfig schedules,
    PushConfig push,
    AuditConfig audit,
    PoolFilesConfig poolFiles,
    List<RouteConfig> routes) {
  private static final Duration LEAST_ROUND = Duration.ofMinutes(1);
  private static final String WITHOUT_BROKER =
      "this is for a node with a broker, and kafka.bootstrap-servers is none: name the brokers"
          + " there, or embedded, or remove this";

  public ServerConfig {
    routes = List.copyOf(routes);
  }

  /** Reads the configuration for the heap of this virtual machine. */
  public static ServerConfig read(SettingSources sources) {
    return read(new SettingsReader(sources));
  }

  /**
   * Reads and checks everything.
   *
   * @throws io.kairos.server.config.ConfigurationException with all problems together
   */
  public static ServerConfig read(SettingsReader settings) {
    Optional<NodeConfig> node = settings.bind(NodeConfig.class);
    Optional<HttpConfig> http = settings.bind(HttpConfig.class);
    Optional<LoggingConfig> logging = settings.bind(LoggingConfig.class);
    Optional<TracingConfig> tracing = settings.bind(TracingConfig.class);
    Optional<DatabaseChoice> postgres = settings.bind(DatabaseChoice.class);
    boolean hasBroker =
        hasBroker(settings, postgres.filter(database -> !database.embedded()).isPresent());
    List<RouteConfig> routes = hasBroker ? RouteConfig.readAll(settings) : List.of();
    Optional<DelayConfig> delay =
        settings.bind(
            DelayConfig.class,
            postgres
                .map(choice -> Map.of("unknownOutcomeFor", choice.unknownOutcomeFor()))
                .orElse(Map.of()));
    Optional<TaskConfig> tasks = settings.bind(TaskConfig.class);
    Optional<ScheduleConfig> schedules = settings.bind(ScheduleConfig.class);
    Optional<PushConfig> push = settings.bind(PushConfig.class);
    Optional<AuditConfig> audit = settings.bind(AuditConfig.class);
    Optional<PoolFilesConfig> poolFiles = settings.bind(PoolFilesConfig.class);
    Optional<BrokerChoice> kafka =
        hasBroker ? broker(settings, delay.orElse(DelayConfig.defaults())) : Optional.empty();
    if (!hasBroker) {
      // Not even the classes of the clients are loaded.
      settings.without(RouteConfig.class, WITHOUT_BROKER);
      settings.without(BrokerChoice.class, WITHOUT_BROKER);
    }
    postgres.ifPresent(database -> checkDatabase(settings, database));
    kafka.ifPresent(broker -> checkBroker(settings, broker));
    if (delay.isPresent() && postgres.isPresent()) {
      checkStatements(settings, delay.get(), postgres.get());
    }
    if (delay.isPresent() && kafka.isPresent()) {
      checkLanes(settings, delay.get(), kafka.get());
    }
    settings.finish();
    return new ServerConfig(
        node.orElseThrow(),
        http.orElseThrow(),
        logging.orElseThrow(),
        tracing.orElseThrow(),
        hasBroker ? kafka.orElseThrow() : null,
        !hasBroker && !settings.isGiven(BrokerChoice.BOOTSTRAP_SERVERS),
        postgres.orElseThrow(),
        delay.orElseThrow(),
        tasks.orElseThrow(),
        schedules.orElseThrow(),
        push.orElseThrow(),
        audit.orElseThrow(),
        poolFiles.orElseThrow(),
        routes);
  }

  /**
   * True unless the configuration says that there is no broker, or names a database but no broker.
   */
  private static boolean hasBroker(SettingsReader settings, boolean namesDatabase) {
    if (namesDatabase) {
      settings.withDefault(BrokerChoice.BOOTSTRAP_SERVERS, BrokerChoice.NONE);
    }
    return !settings.textOf(BrokerChoice.BOOTSTRAP_SERVERS).equals(BrokerChoice.NONE);
  }

  private static Optional<BrokerChoice> broker(SettingsReader settings, DelayConfig bounds) {
    return settings.bind(
        BrokerChoice.class,
        Map.of(
            "publishTimeout", bounds.firing().publishTimeout(),
            "longestRound", longestRound(bounds)));
  }

  /** The longest time that a round of a step may wait for store and broker; at least a minute. */
  Duration longestRound() {
    return longestRound(delay);
  }

  private static Duration longestRound(DelayConfig delay) {
    Duration longest =
        delay.detection().unknownOutcomeFor().plus(delay.firing().publishTimeout()).multipliedBy(2);
    return longest.compareTo(LEAST_ROUND) < 0 ? LEAST_ROUND : longest;
  }

  private static void checkDatabase(SettingsReader settings, DatabaseChoice postgres) {
    if (!postgres.embedded() && settings.isGiven(DatabaseChoice.PORT)) {
      settings.contradiction(
          "postgres.port is for the embedded database, but postgres.url names another one: remove postgres.port");
    }
    for (String key : List.of("postgres.user", "postgres.password")) {
      if (postgres.embedded() && settings.isGiven(key)) {
        settings.contradiction(
            key
                + " is for an external database, but postgres.url is embedded: set postgres.url or remove "
                + key);
      }
    }
  }

  private static void checkBroker(SettingsReader settings, BrokerChoice kafka) {
    if (!kafka.embedded() && settings.isGiven(BrokerChoice.PORT)) {
      settings.contradiction(
          "kafka.port is for the embedded broker, but kafka.bootstrap-servers names another one: remove kafka.port");
    }
  }

  private static void checkStatements(
      SettingsReader settings, DelayConfig delay, DatabaseChoice postgres) {
    if (delay.detection().holdTime().compareTo(postgres.config().statementTimeout()) <= 0) {
      settings.contradiction(
          "delay.detection.hold-time must be longer than postgres.statement-timeout, or what a slow"
              + " statement claims counts as stuck before the node has it");
    }
  }

  private static void checkLanes(SettingsReader settings, DelayConfig delay, BrokerChoice kafka) {
    if (delay.firing().laneBytes() >= kafka.config().output().bufferBytes()) {
      settings.contradiction(
          "delay.firing.lane-bytes must be less than kafka.output.buffer-bytes, or one dead output"
              + " partition takes the memory of all others");
    }
  }
}
