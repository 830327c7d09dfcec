package io.kairos.embedded;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.embedded.EmbeddedStartException.Problem;
import io.kairos.embedded.process.ProcessLog;
import io.kairos.embedded.process.ProcessSignal;
import io.kairos.embedded.process.RunningProcess;
import io.kairos.embedded.process.WaitDeadline;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.function.IntSupplier;
import org.apache.kafka.clients.admin.Admin;

/**
 * A Kafka 4 broker in a child JVM, on 127.0.0.1 only, whose topics are kept. By default the broker
 * is its own controller; {@link KafkaOptions#joining} adds a second broker, which owns partitions
 * and may be stopped. Topics must be created; a write to an unknown topic does not create it. See
 * {@link EmbeddedEngine} for the life of a broker. A restart after a kill takes about two seconds
 * longer, because the old session must lapse first.
 *
 * <p><b>Durability.</b> Kafka acknowledges a record when it is in the page cache of every in-sync
 * replica, and calls fsync much later. With one broker that is one page cache: acknowledged records
 * survive {@code kill -9} of any process but not a power failure. {@code
 * log.flush.interval.messages=1} closes the gap at the price of most of the throughput.
 */
public final class EmbeddedKafka extends EmbeddedEngine {
  private static final String NAME = "Kafka";
  private static final String TOPICS = "kafka";
  private static final String CLASS_PATH = OptionChecks.systemProperty("java.class.path");
  private static final String PORT_TAKEN = "Address already in use";

  /**
   * The broker bounds its own stop by four seconds, and may then write its archive, which takes two
   * seconds on an idle machine. KILL is for a broker that hangs, and for an archive that takes
   * longer: its node must end within ten seconds, and the next broker can write it.
   */
  private static final StopSignals STOP_SIGNALS =
      new StopSignals(
          List.of(new RunningProcess.StopSignal(ProcessSignal.TERM, Duration.ofSeconds(6))),
          List.of());

  private final KafkaOptions options;
  private final IntSupplier freePorts;
  private final Path directory;
  private final BrokerArchive archive;

  /** Kept after the first start, so that joined brokers find a restarted controller. */
  private volatile int controllerPort;

  private EmbeddedKafka(KafkaOptions options, IntSupplier freePorts, Path directory, Home home)
      throws IOException {
    super(home, STOP_SIGNALS, options.port(), freePorts);
    this.options = options;
    this.freePorts = freePorts;
    this.directory = directory;
    this.archive = BrokerArchive.forClassPath(CLASS_PATH, UserCache.directory());
  }

  /**
   * Starts a broker on the directory, which is created on first use.
   *
   * @throws EmbeddedStartException with one sentence that names the fault and the remedy
   */
  public static EmbeddedKafka start(KafkaOptions options) {
    return start(options, LoopbackPort::choose);
  }

  static EmbeddedKafka start(KafkaOptions options, IntSupplier freePorts) {
    OptionChecks.unix(NAME);
    OptionChecks.openFiles(NAME, OptionChecks.openFileLimit());
    Path directory = prepared(options);
    Home home =
        new Home(
            NAME,
            options.dataDirectory(),
            DirectoryLock.take(directory.resolve("kafka.lock")),
            new ProcessLog(directory.resolve("kafka.log")));
    return start(
        home,
        deadline -> {
          for (KafkaPeer peer : options.peers()) {
            keepGroupOffsetsOn(peer, deadline);
          }
          return new EmbeddedKafka(options, freePorts, directory, home);
        });
  }

  /**
   * The broker that all tests of this JVM share, in a temporary directory; stopped and deleted when
   * the JVM ends.
   */
  public static EmbeddedKafka shared() {
    return Shared.KAFKA;
  }

  public String bootstrapServers() {
    return "127.0.0.1:" + port();
  }

  /** The data that a second broker needs to join this one's cluster. */
  public KafkaPeer asPeer() {
    if (!options.peers().isEmpty()) {
      throw new IllegalStateException("node " + options.nodeId() + " is not a controller");
    }
    return new KafkaPeer(clusterId(), options.nodeId(), controllerPort, bootstrapServers());
  }

  @Override
  StateFile state() {
    return StateFile.ofBroker(directory.resolve("kafka.pid"));
  }

  @Override
  String[] marks() {
    return new String[] {BrokerMain.class.getName(), configuration().toString()};
  }

  @Override
  @GuardedBy("this")
  ChildProcess spawn(int chosenPort) throws IOException, InterruptedException {
    if (!isSettled()) {
      controllerPort = freePorts.getAsInt();
    }
    writeConfiguration(chosenPort);
    home().log().open();
    return ChildProcess.start(
        ProcessIsolation.AS_IS, ProcessSignal.TERM, command(), environment(), home().log());
  }

  /**
   * True when the log says that a port was taken in the meantime. Kafka itself would wait for
   * minutes for a controller that it has already stopped.
   */
  @Override
  boolean hasGivenUp() {
    return home().log().mentions(PORT_TAKEN);
  }

  @Override
  boolean isReason(String logLine) {
    return logLine.contains("Exception") && !logLine.startsWith("\tat ");
  }

  /** Another try chooses other ports or says whose the port is. */
  @Override
  boolean mayPass(String reason) {
    return hasGivenUp();
  }

  @Override
  void stopped(ChildProcess left) throws InterruptedException {
    archive.adopt(left.waitFor() != ChildProcess.KILLED);
  }

  /** Resolves links once, because the path also identifies an orphan of an earlier run. */
  private static Path prepared(KafkaOptions options) {
    try {
      Files.createDirectories(options.dataDirectory());
      Path directory = options.dataDirectory().toRealPath();
      Path topics = directory.resolve(TOPICS);
      if (!Files.exists(topics)) {
        FileTree.createPrivate(topics);
      }
      return directory;
    } catch (IOException e) {
      throw EmbeddedStartException.unusable(
          "Cannot use the data directory %s for Kafka".formatted(options.dataDirectory()), e);
    }
  }

  /**
   * Makes the first broker create the topic of group offsets while it is alone: if the topic were
   * spread over both brokers, stopping the second one would stop groups that read from the first
   * only. Any request about a group creates the topic.
   */
  private static void keepGroupOffsetsOn(KafkaPeer peer, WaitDeadline deadline)
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
          "Kafka node %d at %s cannot be joined: %s"
              .formatted(peer.nodeId(), peer.bootstrapServers(), e.getCause()),
          e);
    }
  }

  private void writeConfiguration(int port) throws IOException {
    Properties properties = new Properties();
    properties.putAll(KafkaSettings.of(options, directory.resolve(TOPICS), port, controllerPort));
    try (Writer writer = Files.newBufferedWriter(configuration())) {
      properties.store(writer, "Written at every start; change nothing here.");
    }
  }

  private List<String> command() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(OptionChecks.systemProperty("java.home"), "bin", "java").toString());
    command.addAll(options.jvmOptions());
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
   * Passes the class path by the environment, because it would hide everything else in a list of
   * processes.
   */
  private static Map<String, String> environment() {
    return Map.of("CLASSPATH", CLASS_PATH, "JDK_JAVA_OPTIONS", "", "JAVA_TOOL_OPTIONS", "");
  }

  private String clusterId() {
    Properties meta = new Properties();
    try (var reader =
        Files.newBufferedReader(directory.resolve(TOPICS).resolve("meta.properties"))) {
      meta.load(reader);
    } catch (IOException e) {
      throw home().unusable(e);
    }
    return OptionChecks.property(meta, "cluster.id");
  }

  private Path configuration() {
    return directory.resolve("kafka.properties");
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
