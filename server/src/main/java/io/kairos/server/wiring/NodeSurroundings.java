package io.kairos.server.wiring;

import io.kairos.embedded.EmbeddedKafka;
import io.kairos.embedded.EmbeddedPostgres;
import io.kairos.embedded.EmbeddedStartException;
import io.kairos.embedded.EmbeddedStartException.Problem;
import io.kairos.embedded.KafkaOptions;
import io.kairos.embedded.PostgresOptions;
import io.kairos.engine.node.StoreCallTimer;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.pool.secret.SecretKeys;
import io.kairos.engine.time.MonotonicClock;
import io.kairos.kafka.KafkaConfig;
import io.kairos.kafka.TopicsUnusable;
import io.kairos.node.ParkedWakeup;
import io.kairos.postgres.PostgresConfig;
import io.kairos.postgres.PostgresStores;
import io.kairos.postgres.UnsafeStoreException;
import io.kairos.push.EncryptionKeyFile;
import io.kairos.server.config.NodeConfig;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the stores and checks the broker's topics; starts the embedded database and broker before
 * that where they are configured. {@link #stores} and {@link #broker} may run on two threads at
 * once. Every failure becomes a {@link StartException} that names the setting to change; a broker
 * that is away is no failure.
 */
record NodeSurroundings(
    ServerConfig config, OpenedResources opened, MonotonicClock monotonic, StoreCallTimer timer) {
  private static final Logger LOG = LoggerFactory.getLogger(NodeSurroundings.class);

  /**
   * Open stores, and the address of the database.
   *
   * @param keys those by which the stores encrypt secrets of pools; empty for none
   */
  record Stores(PostgresStores stores, String address, Optional<EncryptionKeyFile> keys) {}

  /**
   * The broker.
   *
   * @param topics knows the broker's real address
   * @param isAway true when the broker has not answered yet
   */
  record Broker(TopicsCheck topics, boolean isAway) {}

  Stores stores() {
    Optional<EncryptionKeyFile> keys = encryptionKeys();
    // The stores are closed before the embedded database that they need.
    OpenedResources database = opened.add("the database", new OpenedResources());
    DatabaseChoice choice = config.postgres();
    if (!choice.embedded()) {
      return open(database, choice.config(), choice.config().jdbcUrl(), keys);
    }
    EmbeddedPostgres postgres =
        starting(
            DatabaseChoice.PORT,
            () ->
                EmbeddedPostgres.start(
                    PostgresOptions.in(config.node().dataDirectory().resolve("postgres"))
                        .withPort(choice.port())));
    database.add("the embedded Postgres", postgres);
    return open(
        database,
        choice.config().at(postgres.jdbcUrl(), postgres.user(), postgres.password()),
        "127.0.0.1:" + postgres.port() + " (embedded)",
        keys);
  }

  private Optional<EncryptionKeyFile> encryptionKeys() {
    try {
      return config.poolFiles().encryptionKeyFile().map(EncryptionKeyFile::new);
    } catch (IllegalArgumentException e) {
      throw new StartException("Refusing to start: " + e.getMessage() + ".", e);
    }
  }

  private Stores open(
      OpenedResources database,
      PostgresConfig postgres,
      String address,
      Optional<EncryptionKeyFile> keys) {
    Supplier<SecretKeys> present =
        keys.<Supplier<SecretKeys>>map(each -> each).orElse(() -> SecretKeys.NONE);
    try {
      PostgresStores stores =
          patience()
              .wait(
                  "the database at " + postgres.jdbcUrl(),
                  () -> PostgresStores.open(postgres, timer, present),
                  NodeSurroundings::isAway);
      return new Stores(database.add("the stores", stores), address, keys);
    } catch (UnsafeStoreException e) {
      throw new StartException("Refusing to start: " + e.getMessage() + ".", e);
    } catch (StoreUnavailable e) {
      throw new StartException(
          "The database at %s (postgres.url) cannot be used: %s. Start it, or correct the keys postgres.url, postgres.user and postgres.password."
              .formatted(postgres.jdbcUrl(), e.getMessage()),
          e);
    }
  }

  /** True when a retry may help; false for a refused login and a missing database. */
  private static boolean isAway(RuntimeException e) {
    return e instanceof StoreUnavailable
        && !(e.getCause() instanceof SQLException cause
            && cause.getSQLState() != null
            && (cause.getSQLState().startsWith("28") || cause.getSQLState().startsWith("3D")));
  }

  /** The broker, of which the topics have been checked if it answers; empty for none. */
  Optional<Broker> broker() {
    return Optional.ofNullable(config.kafka())
        .map(choice -> choice.embedded() ? started(choice) : choice.config())
        .map(kafka -> checked(TopicsCheck.of(kafka, config.routes())));
  }

  private KafkaConfig started(BrokerChoice choice) {
    EmbeddedKafka broker =
        starting(
            BrokerChoice.PORT,
            () ->
                EmbeddedKafka.start(
                    KafkaOptions.in(config.node().dataDirectory().resolve("kafka"))
                        .withPort(choice.port())));
    opened.add("the embedded Kafka", broker);
    return choice.config().withBootstrapServers(broker.bootstrapServers());
  }

  private static Broker checked(TopicsCheck topics) {
    try {
      topics.run();
      return new Broker(topics, false);
    } catch (TopicsUnusable e) {
      if (!e.brokerAway() || Thread.currentThread().isInterrupted()) {
        throw new StartException(e);
      }
      LOG.atWarn()
          .addKeyValue("why", e.getMessage())
          .log("the node starts without its broker; the delay queue begins when that answers");
      return new Broker(topics, true);
    }
  }

  private StartRetries patience() {
    return new StartRetries(config.node().startTimeout(), monotonic, new ParkedWakeup());
  }

  /** Adds the setting to change to the message of an embedded engine that does not start. */
  private static <T> T starting(String portKey, Supplier<T> engine) {
    try {
      return engine.get();
    } catch (EmbeddedStartException e) {
      throw new StartException(e.getMessage() + remedy(e.problem(), portKey), e);
    }
  }

  private static String remedy(Problem problem, String portKey) {
    return switch (problem) {
      case PORT_TAKEN -> " The key is " + portKey + ".";
      case DIRECTORY_IN_USE, DIRECTORY_UNUSABLE ->
          " The key is " + NodeConfig.DATA_DIRECTORY + " (--data-dir).";
      case ROOT_NOT_POSSIBLE, PLATFORM_NOT_SUPPORTED ->
          " Or use a Postgres of your own: postgres.url.";
      case TOO_FEW_FILES, NOT_DURABLE, ENDED_EARLY, TOO_SLOW, INTERRUPTED -> "";
    };
  }
}
