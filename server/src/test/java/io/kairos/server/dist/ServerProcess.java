package io.kairos.server.dist;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The packed application in a process of its own. What it prints is read by a thread of ours. */
final class ServerProcess implements AutoCloseable {
  static final Path APP = Path.of("target", "kairos");

  private static final Path ARCHIVE = APP.resolve("kairos-server.jsa");

  private static final Duration STARTS_WITHIN = Duration.ofMinutes(2);
  private static final Duration ORPHANS_END_WITHIN = Duration.ofSeconds(15);
  private static final Duration LOOK_EVERY = Duration.ofMillis(20);
  private static final Pattern KAFKA = Pattern.compile("^ +kafka +([0-9.]+:\\d+)");

  private static final Pattern HTTP = Pattern.compile("(?m)^ +http +(http://\\S+) ");

  /** The last line of the banner; the demo has only one. */
  private static final Pattern LAST = Pattern.compile("^ +settings |^Ready after ");

  private final Process process;
  private final Thread reader;
  private final ConcurrentLinkedQueue<String> printed = new ConcurrentLinkedQueue<>();
  private final CompletableFuture<String> bootstrapServers = new CompletableFuture<>();
  private final CompletableFuture<Boolean> started = new CompletableFuture<>();

  private ServerProcess(Process process) {
    this.process = process;
    this.reader = Thread.ofPlatform().daemon().name("output-of-" + process.pid()).start(this::read);
  }

  static ServerProcess start(String... words) throws IOException {
    return startWith("", words);
  }

  /**
   * The same.
   *
   * @param javaOptions more of them, with blanks between
   */
  static ServerProcess startWith(String javaOptions, String... words) throws IOException {
    train();
    List<String> command = new ArrayList<>(List.of(APP.resolve("bin/kairos").toString()));
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("KAIROS_JAVA_HOME", requireNonNull(System.getProperty("java.home")));
    // Small, so that several fit; they end before the optimizing compiler has earned its cost.
    builder
        .environment()
        .put("KAIROS_JAVA_OPTS", "-Xmx256m -XX:TieredStopAtLevel=1 " + javaOptions);
    return new ServerProcess(builder.start());
  }

  /** Writes the archives of classes, as the launcher does after a build. */
  private static synchronized void train() throws IOException {
    // Several JVMs run these tests.
    try (FileChannel channel =
            FileChannel.open(
                APP.resolve("training.log"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock _ = channel.lock()) {
      if (!Files.exists(ARCHIVE)) {
        writeArchives();
      }
    }
  }

  private static void writeArchives() throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
                "sh", "-euc", ". \"$0/bin/java.sh\"; kairos_train \"$0\"", APP.toString())
            .redirectErrorStream(true);
    builder.environment().put("JAVA_HOME", requireNonNull(System.getProperty("java.home")));
    String said =
        new String(builder.start().getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(said).as("what is printed by a training that succeeds").isEmpty();
    assertThat(ARCHIVE).isNotEmptyFile();
  }

  private void read() {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        printed.add(line);
        Matcher kafka = KAFKA.matcher(line);
        if (kafka.find()) {
          bootstrapServers.complete(requireNonNull(kafka.group(1)));
        }
        if (LAST.matcher(line).find()) {
          started.complete(true);
        }
      }
    } catch (IOException e) {
      printed.add(e.toString());
    }
    IllegalStateException ended = new IllegalStateException("ended, having printed: " + printed());
    bootstrapServers.completeExceptionally(ended);
    started.completeExceptionally(ended);
  }

  String printed() {
    return String.join("\n", printed);
  }

  /** Waits for the banner; tells the broker's address. */
  String awaitStarted() throws Exception {
    awaitReady();
    return bootstrapServers.get(1, TimeUnit.SECONDS);
  }

  /** Host and port of the HTTP edge. */
  String address() {
    Matcher address = HTTP.matcher(printed());
    if (!address.find()) {
      throw new IllegalStateException("no address of the HTTP edge in: " + printed());
    }
    return requireNonNull(address.group(1)).substring("http://".length());
  }

  /** What a command prints that ends by itself. */
  static String output(String... words) throws IOException, InterruptedException {
    try (ServerProcess process = start(words)) {
      process.awaitEnd(STARTS_WITHIN);
      process.reader.join();
      return process.printed();
    }
  }

  long pid() {
    return process.pid();
  }

  /** Sends a signal by its name, such as QUIT, on which the JVM prints its threads. */
  void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  /** What Prometheus would scrape. */
  String metrics() throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      return client
          .send(
              HttpRequest.newBuilder(URI.create("http://" + address() + "/metrics")).build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }

  /** The same for a demo, which tells no address. */
  void awaitReady() throws Exception {
    var _ = started.get(STARTS_WITHIN.toSeconds(), TimeUnit.SECONDS);
  }

  /** The embedded engines, as they are now. */
  List<ProcessHandle> engines() {
    return process.descendants().toList();
  }

  /** SIGKILL; its engines are not asked. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** SIGTERM. */
  void terminate() {
    process.destroy();
  }

  /** The exit code, or an error when it takes longer. */
  int awaitEnd(Duration atMost) throws InterruptedException {
    if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new AssertionError("did not end within " + atMost + ", having printed: " + printed());
    }
    return process.exitValue();
  }

  /** Those that are still there after a while; orphans end by themselves, but not at once. */
  static List<ProcessHandle> leftOf(List<ProcessHandle> engines) {
    long untilNanos = System.nanoTime() + ORPHANS_END_WITHIN.toNanos();
    List<ProcessHandle> left = engines;
    while (!left.isEmpty() && System.nanoTime() - untilNanos < 0) {
      left = left.stream().filter(ServerProcess::runs).toList();
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
    }
    return left;
  }

  /** A dead orphan whose new parent does not care counts as alive to Java. */
  private static boolean runs(ProcessHandle handle) {
    Path stat = Path.of("/proc", Long.toString(handle.pid()), "stat");
    if (!handle.isAlive() || !Files.exists(stat)) {
      return handle.isAlive();
    }
    try {
      String text = Files.readString(stat, StandardCharsets.ISO_8859_1);
      return text.charAt(text.lastIndexOf(')') + 2) != 'Z';
    } catch (IOException e) {
      if (Files.exists(stat)) {
        throw new UncheckedIOException(e);
      }
      return false;
    }
  }

  @Override
  public void close() {
    List<ProcessHandle> engines = engines();
    process.destroyForcibly();
    if (!leftOf(engines).isEmpty()) {
      throw new IllegalStateException("engines outlive " + process.pid());
    }
  }
}
