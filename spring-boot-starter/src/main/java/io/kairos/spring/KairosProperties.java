package io.kairos.spring;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code kairos.*}.
 *
 * @param enabled Whether the application has a client, a worker and schedules at all.
 * @param mode Whether the tasks are on the nodes of a server, or on one inside the application, in
 *     the database of its DataSource.
 * @param address Nodes as host:port, or https://host:port for TLS. Name all of them.
 * @param token Token that the application shows to nodes. A worker needs one with the role worker.
 * @param tokenFile File with the token, read again when it changes. In place of the token.
 * @param transactions Whether tasks are scheduled in the running transaction of the application.
 */
@ConfigurationProperties("kairos")
public record KairosProperties(
    @DefaultValue("true") boolean enabled,
    @DefaultValue("server") Mode mode,
    @DefaultValue("localhost:7070") List<String> address,
    @Nullable String token,
    @Nullable Path tokenFile,
    @DefaultValue("join") Transactions transactions,
    @DefaultValue Tls tls,
    @DefaultValue InProcess inProcess,
    @DefaultValue Worker worker,
    @DefaultValue Schedules schedules) {
  /** Where the tasks of the application are. */
  public enum Mode {
    /** On the nodes of kairos.address. */
    SERVER,
    /** On a node inside the application, which needs kairos-in-process and Java 25. */
    IN_PROCESS
  }

  /** What becomes of tasks that are scheduled while a transaction of the application is running. */
  public enum Transactions {
    /** They are stored in it, in the same database: with it they become visible, or never. */
    JOIN,
    /** Nodes are called at once, whatever becomes of the transaction. */
    SEPARATE
  }

  /**
   * TLS to nodes whose address begins with https://.
   *
   * @param trustedCertificates CA certificates of nodes in PEM. Those of the JVM by default.
   * @param certificate Certificate that is shown to nodes, in PEM.
   * @param key Key of that certificate, in PEM, PKCS 8 without a password.
   */
  public record Tls(
      @Nullable Path trustedCertificates, @Nullable Path certificate, @Nullable Path key) {}

  /**
   * The node inside the application, with kairos.mode in-process.
   *
   * @param dataSource Name of the bean, where the application has several DataSources. The primary
   *     one by default.
   * @param schema Schema of the tables of Kairos in the database. It is made when it is missing.
   * @param migrate Whether the schema is brought up to date at the start. Without it, a start on
   *     one that is too old is refused.
   * @param connections Connections that are taken from the DataSource, and kept: 3 to 100. A pool
   *     needs at least one more, for the application.
   * @param statementTimeout How long one statement may run or wait for a lock.
   * @param allowUnsafeDurability Whether the database may be one that can lose what it has
   *     acknowledged, such as one without fsync.
   * @param handledElsewhere Handlers whose tasks this application schedules and others perform.
   */
  public record InProcess(
      @Nullable String dataSource,
      @DefaultValue("kairos") String schema,
      @DefaultValue("true") boolean migrate,
      @DefaultValue("5") int connections,
      @DefaultValue("3s") Duration statementTimeout,
      @DefaultValue("false") boolean allowUnsafeDurability,
      @DefaultValue List<String> handledElsewhere) {}

  /**
   * The worker that performs the tasks of the application's handlers.
   *
   * @param enabled Whether the application performs tasks. Without it, it only schedules them.
   * @param name Name of the worker, unique among all. From the process id by default.
   * @param concurrency Most handlers that run at once. Twice the number of cores by default.
   * @param localBuffer Most tasks that wait in the application for a thread.
   * @param drainTime How long the application waits for running handlers when it stops, before it
   *     cancels them. Keep it below spring.lifecycle.timeout-per-shutdown-phase.
   * @param terminationGrace How long a handler may go on after its lease was lost.
   */
  public record Worker(
      @DefaultValue("true") boolean enabled,
      @Nullable String name,
      @Nullable Integer concurrency,
      @DefaultValue("1000") int localBuffer,
      @DefaultValue("25s") Duration drainTime,
      @DefaultValue("500ms") Duration terminationGrace) {}

  /**
   * The schedules of the application.
   *
   * @param enabled Whether the application stores its schedules when it starts.
   * @param prefix Begin of the names of its schedules, by which it knows them again; a slash is
   *     added to one without. By default spring/ with spring.application.name and a slash.
   */
  public record Schedules(@DefaultValue("true") boolean enabled, @Nullable String prefix) {}
}
