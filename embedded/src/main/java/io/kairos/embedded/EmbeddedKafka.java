package io.kairos.embedded;

import io.kairos.embedded.EmbeddedStartException.Problem;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.function.IntSupplier;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Kafka 4 broker in a child JVM, on 127.0.0.1 only, whose topics are kept. By default it is its
 * own controller; with {@link KafkaOptions#joining} a second broker can be added that owns
 * partitions and may be stopped. Topics must be created, none appears by being written to. However
 * this JVM ends, the broker does too.
 *
 * <p><b>Durability.</b> Kafka acknowledges a record when it is in the page cache of every in-sync
 * replica, and calls fsync much later. With one broker that is one page cache: acknowledged records
 * survive {@code kill -9} of any process but not a power failure. For trying out that is enough;
 * {@code log.flush.interval.messages=1} closes the gap at the price of most of the throughput.
 *
 * <p>The broker's life is driven by one thread at a time (the methods are synchronized); the
 * accessors may be called from any. After {@link #kill()} or a crash of the broker nothing restarts
 * it but {@link #restart()}.
 */
public final class EmbeddedKafka implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedKafka.class);
  private static final String NAME = "Kafka";
  private static final String TOPICS = "kafka";
  private static final String CLASS_PATH = Require.systemProperty("java.class.path");
  private static final String PORT_TAKEN = "Address already in use";
  private static final Pattern BLANKS = Pattern.compile("\\s+");

  /**
   * The child bounds its own stop; after it it may write its archive. KILL is for one that hangs.
   */
  private static final List<RunningProcess.Plea> SHUTDOWN =
      List.of(new RunningProcess.Plea(Signal.TERM, Duration.ofSeconds(8)));

  private final KafkaOptions options;
  private final IntSupplier freePorts;
  private final Path directory;
  private final DirectoryLock lock;
  private final LogFile log;
  private final BrokerState state;
  private final BrokerArchive archive;
  private volatile int port;
  private volatile int controllerPort;
  private boolean portsSettled;
  private volatile @Nullable Child broker;

  private EmbeddedKafka(
      KafkaOptions options, IntSupplier freePorts, Path directory, DirectoryLock lock, LogFile log)
      throws IOException, InterruptedException {
    this.options = options;
    this.freePorts = freePorts;
    this.directory = directory;
    this.lock = lock;
    this.archive = BrokerArchive.forClassPath(CLASS_PATH, UserCache.directory());
    this.state = new BrokerState(directory.resolve("kafka.pid"));
    clearLeftovers();
    this.log = log;
  }

  /**
   * Starts a broker on the directory, which is created on first use.
   *
   * @throws EmbeddedStartException with one sentence that says what is wrong and what to do
   */
  public static EmbeddedKafka start(KafkaOptions options) {
    return start(options, LoopbackPort::choose);
  }

  static EmbeddedKafka start(KafkaOptions options, IntSupplier freePorts) {
    Require.unix(NAME);
    Deadline deadline = Deadline.in(options.startTimeout());
    Path directory = prepared(options);
    DirectoryLock lock = DirectoryLock.take(directory.resolve("kafka.lock"));
    LogFile log = new LogFile(directory.resolve("kafka.log"));
    boolean started = false;
    try {
      EmbeddedKafka kafka = new EmbeddedKafka(options, freePorts, directory, lock, log);
      for (KafkaPeer peer : options.peers()) {
        keepGroupOffsetsOn(peer, deadline);
      }
      kafka.launch(deadline);
      started = true;
      return kafka;
    } catch (IOException e) {
      throw unusable(options, e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    } finally {
      if (!started) {
        log.close();
        lock.close();
      }
    }
  }

  /**
   * One broker for all tests of this JVM, in a temporary directory, stopped and deleted when the
   * JVM ends.
   */
  public static EmbeddedKafka shared() {
    return Shared.KAFKA;
  }

  public String bootstrapServers() {
    return "127.0.0.1:" + port;
  }

  public int port() {
    return port;
  }

  public long pid() {
    return broker().pid();
  }

  /** False after a kill or a crash. */
  public boolean isRunning() {
    Child child = broker;
    return child != null && child.isRunning();
  }

  /** What a second broker needs to join this one's cluster. */
  public KafkaPeer asPeer() {
    if (!options.peers().isEmpty()) {
      throw new IllegalStateException("node " + options.nodeId() + " is not a controller");
    }
    return new KafkaPeer(clusterId(), options.nodeId(), controllerPort, bootstrapServers());
  }

  /** Kills the broker without a warning (SIGKILL), as a fault does. */
  public synchronized void kill() {
    try {
      broker().running().kill();
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /**
   * Brings the broker back on the same port and data; one that still runs is stopped first. After a
   * kill it is let in when its old session has lapsed, about two seconds later than otherwise.
   */
  public synchronized void restart() {
    Deadline deadline = Deadline.in(options.startTimeout());
    try {
      stop(broker());
      launch(deadline);
    } catch (IOException e) {
      throw unusable(options, e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** Stops the broker in its tracks (SIGSTOP): connections stay open and get no answer. */
  public synchronized void pause() {
    broker().running().pause();
  }

  /** Undoes {@link #pause()}. */
  public synchronized void resume() {
    broker().running().resume();
  }

  /**
   * Controlled shutdown, bounded by four seconds; after eight SIGKILL. Harmless when called again.
   */
  @Override
  public synchronized void close() {
    Child child = broker();
    try {
      stop(child);
    } catch (InterruptedException e) {
      Signal.KILL.send(child.pid());
      Thread.currentThread().interrupt();
    } finally {
      log.close();
      lock.close();
    }
  }

  private void stop(Child child) throws InterruptedException {
    if (child.running().leave(SHUTDOWN)) {
      archive.adopt(child.waitFor() != Child.KILLED);
    }
  }

  /** Resolves links once: the path is also how an orphan of an earlier run is recognised. */
  private static Path prepared(KafkaOptions options) {
    try {
      Files.createDirectories(options.dataDirectory());
      Path directory = options.dataDirectory().toRealPath();
      Path topics = directory.resolve(TOPICS);
      if (!Files.exists(topics)) {
        Files.createDirectory(
            topics,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      }
      return directory;
    } catch (IOException e) {
      throw unusable(options, e);
    }
  }

  /**
   * We hold the directory's lock, so a broker that still runs on it has lost its owner and is
   * leaving, or is paused.
   */
  private void clearLeftovers() throws InterruptedException {
    var survivor =
        state
            .pid()
            .flatMap(pid ->
                RunningProcess.find(pid, BrokerMain.class.getName(), configuration().toString()));
    if (survivor.isPresent()) {
      survivor.get().leave(SHUTDOWN);
    }
  }

  private void launch(Deadline deadline) throws IOException, InterruptedException {
    boolean ready = false;
    try {
      Child child = spawn();
      while (!awaitReady(child, deadline)) {
        child = spawn();
      }
      ready = true;
      portsSettled = true;
      LOG.info("embedded Kafka listens on {}, process {}", bootstrapServers(), child.pid());
    } finally {
      if (!ready) {
        abandon();
      }
    }
  }

  private Child spawn() throws IOException, InterruptedException {
    choosePorts();
    writeConfiguration();
    log.open();
    Child child = Child.start(Isolation.AS_IS, Signal.TERM, command(), environment(), log);
    broker = child;
    return child;
  }

  /** Nobody gets to see this broker, so nobody would stop it. */
  private void abandon() {
    Child child = broker;
    if (child == null) {
      return;
    }
    try {
      child.running().kill();
    } catch (InterruptedException e) {
      Signal.KILL.send(child.pid());
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Lets the first broker create the topic of the group offsets while it is alone: spread over
   * both, stopping the second would stop groups that read only the first. Any question about a
   * group does it.
   */
  private static void keepGroupOffsetsOn(KafkaPeer peer, Deadline deadline)
      throws InterruptedException {
    Map<String, Object> config =
        Map.of(
            "bootstrap.servers",
            peer.bootstrapServers(),
            "default.api.timeout.ms",
            deadline.leftMillis());
    try (Admin admin = Admin.create(config)) {
      admin.listConsumerGroupOffsets("kairos-embedded").all().get();
    } catch (ExecutionException e) {
      throw new EmbeddedStartException(
          Problem.ENDED_EARLY,
          "Kafka node "
              + peer.nodeId()
              + " at "
              + peer.bootstrapServers()
              + " cannot be joined: "
              + e.getCause(),
          e);
    }
  }

  /**
   * The ports of the first broker that got them are kept: clients, and brokers that joined, find a
   * restarted broker again.
   */
  private void choosePorts() {
    if (!portsSettled) {
      port = options.port() == 0 ? freePorts.getAsInt() : options.port();
      controllerPort = freePorts.getAsInt();
    }
    if (portsSettled || options.port() != 0) {
      LoopbackPort.requireFree(port, NAME);
    }
  }

  private void writeConfiguration() throws IOException {
    Properties properties = new Properties();
    properties.putAll(KafkaSettings.of(options, directory.resolve(TOPICS), port, controllerPort));
    try (Writer writer = Files.newBufferedWriter(configuration())) {
      properties.store(writer, "Written at every start; change nothing here.");
    }
  }

  private List<String> command() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(Require.systemProperty("java.home"), "bin", "java").toString());
    BLANKS
        .splitAsStream(options.jvmOptions())
        .filter(option -> !option.isEmpty())
        .forEach(command::add);
    command.addAll(archive.jvmOptions());
    command.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:ErrorFile=" + directory.resolve("kafka-crash.log"),
            "-Dlogback.configurationFile=io/kairos/embedded/broker-logback.xml",
            BrokerMain.class.getName(),
            configuration().toString(),
            directory.resolve("kafka.pid").toString(),
            options.peers().isEmpty() ? "-" : options.peers().getFirst().clusterId()));
    return command;
  }

  /**
   * The class path goes by the environment and so does not hide everything else in a list of
   * processes.
   */
  private static Map<String, String> environment() {
    return Map.of("CLASSPATH", CLASS_PATH, "JDK_JAVA_OPTIONS", "", "JAVA_TOOL_OPTIONS", "");
  }

  /**
   * False: a port was taken in between, another try chooses others or says whose it is. Kafka
   * itself would need minutes to give up, waiting for a controller that it has already stopped.
   */
  private boolean awaitReady(Child child, Deadline deadline) throws InterruptedException {
    deadline.await(
        () -> !child.isRunning() || state.isReady(child.pid()) || log.mentions(PORT_TAKEN));
    if (log.mentions(PORT_TAKEN) && !deadline.hasPassed()) {
      child.running().kill();
      deadline.pause();
      return false;
    }
    if (!child.isRunning()) {
      throw new EmbeddedStartException(
          Problem.ENDED_EARLY,
          "Kafka ended while it was starting: "
              + log.reason(line -> line.contains("Exception") && !line.startsWith("\tat ")));
    }
    if (!state.isReady(child.pid())) {
      throw new EmbeddedStartException(
          Problem.TOO_SLOW,
          "Kafka was not ready within "
              + options.startTimeout().toSeconds()
              + " s, see "
              + log.path()
              + ".");
    }
    return true;
  }

  private String clusterId() {
    Properties meta = new Properties();
    try (var reader =
        Files.newBufferedReader(directory.resolve(TOPICS).resolve("meta.properties"))) {
      meta.load(reader);
    } catch (IOException e) {
      throw unusable(options, e);
    }
    return Require.property(meta, "cluster.id");
  }

  private Path configuration() {
    return directory.resolve("kafka.properties");
  }

  private Child broker() {
    Child child = broker;
    if (child == null) {
      throw new IllegalStateException("the embedded Kafka was never started");
    }
    return child;
  }

  private static EmbeddedStartException unusable(KafkaOptions options, IOException e) {
    return new EmbeddedStartException(
        Problem.DIRECTORY_UNUSABLE,
        "Cannot use the data directory " + options.dataDirectory() + " for Kafka: " + e,
        e);
  }

  private static EmbeddedStartException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new EmbeddedStartException(
        Problem.INTERRUPTED, "Interrupted while waiting for Kafka.", e);
  }

  /**
   * Holds the instance for tests; in a class of its own so that nothing starts before it is asked
   * for.
   */
  private static final class Shared {
    static final EmbeddedKafka KAFKA =
        SharedDirectory.keep(
            "kafka",
            directory -> EmbeddedKafka.start(KafkaOptions.forTests(directory)),
            EmbeddedKafka::close);
  }
}
