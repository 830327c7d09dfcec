package io.kairos.server.dist;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.client.KairosClient;
import io.kairos.client.PoolDefinition;
import io.kairos.client.TaskRequest;
import io.kairos.embedded.EmbeddedKafka;
import io.kairos.embedded.EmbeddedPostgres;
import io.kairos.server.wiring.Application;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Secrets and payloads that no other text resembles are given to two real nodes in every way there
 * is, and looked for in everything that they, a worker and the command line show: logs with debug
 * on, metrics, effective settings, arguments and environment of the processes, and what the JVM
 * writes when it crashes.
 */
@Timeout(300)
class SecretsIT {
  private static final Duration ENDS_WITHIN = Duration.ofMinutes(1);

  private final String run = UUID.randomUUID().toString().substring(0, 8);
  private final List<String> secrets = new ArrayList<>();
  private final EmbeddedPostgres postgres = EmbeddedPostgres.shared();

  @TempDir private Path folder;

  private String secret(String what) {
    String text = "canary-" + what + "-" + UUID.randomUUID();
    secrets.add(text);
    return text;
  }

  private Path file(String name, String text) throws Exception {
    Path file = Files.writeString(folder.resolve(name), text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  /** A role with a password of ours, on a database of its own. */
  private String database(String password) throws Exception {
    String url = postgres.newDatabase();
    try (Connection connection =
            DriverManager.getConnection(url, postgres.user(), postgres.password());
        Statement statement = connection.createStatement()) {
      statement.execute(
          "create role \"%s\" login superuser password '%s'".formatted(role(), password));
    }
    return url;
  }

  private String role() {
    return "role-" + run;
  }

  private Path settings(String token) throws Exception {
    String password = secret("database");
    String hash =
        HexFormat.of()
            .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8)));
    return file(
        "kairos.yaml",
        """
        http:
          port: 0
          tokens-file: %s
          callers:
            all:
              roles: admin
        logging:
          level: debug
        kafka:
          bootstrap-servers: %s
          client:
            sasl.jaas.config: 'org.apache.kafka.common.security.plain.PlainLoginModule required username="u" password="%s";'
        postgres:
          url: '%s'
          user: %s
          password: %s
        push:
          allow: 127.0.0.0/8
        delay:
          routes:
            default:
              input: %s.in
              output: %s.out
              dead-letter-topic: %s.dead
        """
            .formatted(
                file("tokens", "all " + hash),
                EmbeddedKafka.shared().bootstrapServers(),
                secret("broker"),
                database(password),
                role(),
                password,
                run,
                run,
                run));
  }

  @Test
  void nothing_that_nodes_a_worker_and_the_tools_show_has_a_secret_or_a_payload() throws Exception {
    String token = secret("token");
    String settings = "--config=" + settings(token);
    List<String> shown = new ArrayList<>();
    Path crash = folder.resolve("crash.log");
    try (ServerProcess process =
            ServerProcess.startWith(
                "-XX:-CreateCoredumpOnCrash -XX:ErrorFile=" + crash, "server", settings);
        ServerProcess other = ServerProcess.start("server", settings)) {
      process.awaitReady();
      other.awaitReady();
      shown.addAll(work(token, process.address(), other.address()));
      refused(process.address(), token);
      refused(other.address(), token);
      shown.addAll(tools(process.address() + "," + other.address(), token));
      for (ServerProcess each : List.of(process, other)) {
        shown.add(each.metrics());
        shown.addAll(started(each.pid()));
      }
      process.signal("QUIT");
      process.signal("SEGV");
      assertThat(process.awaitEnd(ENDS_WITHIN)).isNotZero();
      shown.add(process.printed());
      shown.add(other.printed());
      shown.add(Files.readString(crash));
    }
    shown.add(ServerProcess.output("config", settings));

    assertThat(shown).hasSize(15).allSatisfy(text -> assertThat(text).isNotBlank());
    assertThat(secrets).hasSizeGreaterThan(10);
    for (String known :
        List.of(
            "handler=\"wrong\"",
            "at io.kairos.",
            "Xmx256m",
            "SIGSEGV",
            "= ***",
            SecretWorkerMain.PERFORMED,
            "http://127.0.0.1:1234/x",
            "UNAUTHENTICATED")) {
      assertThat(shown).as(known).anyMatch(text -> text.contains(known));
    }
    for (String secret : secrets) {
      assertThat(shown).noneMatch(text -> text.contains(secret));
    }
  }

  /** Arguments and environment of a process. */
  private static List<String> started(long pid) throws Exception {
    Path of = Path.of("/proc", Long.toString(pid));
    return List.of(
        Files.readString(of.resolve("cmdline")), Files.readString(of.resolve("environ")));
  }

  /** A worker that logs all of Kairos; gRPC's own lines would show the headers of each call. */
  private Process worker(String token, String... addresses) throws Exception {
    Path logging =
        file(
            "logback.xml",
            """
            <configuration>
              <appender name="console" class="ch.qos.logback.core.ConsoleAppender">
                <encoder><pattern>%level %logger{20} %msg %kvp%n%ex</pattern></encoder>
              </appender>
              <logger name="io.kairos" level="DEBUG"/>
              <root level="INFO"><appender-ref ref="console"/></root>
            </configuration>
            """);
    return new ProcessBuilder(
            Path.of(requireNonNull(System.getProperty("java.home")), "bin", "java").toString(),
            "-Xmx128m",
            "-XX:TieredStopAtLevel=1",
            "-Dlogback.configurationFile=" + logging,
            "-cp",
            requireNonNull(System.getProperty("java.class.path")),
            SecretWorkerMain.class.getName(),
            file("token", token).toString(),
            addresses[0],
            addresses[1])
        .redirectErrorStream(true)
        .start();
  }

  /** Reads until both handlers were called. */
  private static String awaitPerformed(BufferedReader lines) throws IOException {
    StringBuilder read = new StringBuilder();
    Set<String> missing =
        new HashSet<>(
            List.of(SecretWorkerMain.PERFORMED + "right", SecretWorkerMain.PERFORMED + "wrong"));
    while (!missing.isEmpty()) {
      String line = lines.readLine();
      assertThat(line).as("after " + read).isNotNull();
      missing.remove(line);
      read.append(line).append('\n');
    }
    return read.toString();
  }

  /** The command line, with the right token and with a wrong one. */
  private List<String> tools(String addresses, String token) throws Exception {
    String right = "--token-file=" + file("right-token", token);
    String wrong = "--token-file=" + file("wrong-token", secret("tool"));
    String nodes = "--address=" + addresses;
    return List.of(
        ServerProcess.output("pool", "show", "hooks", nodes, right),
        ServerProcess.output("task", "list", "--handler", "wrong", nodes, wrong));
  }

  /**
   * Tasks that succeed and fail, a message and a pool.
   *
   * @return all that the worker shows
   */
  private List<String> work(String token, String... addresses) throws Exception {
    Process worker = worker(token, addresses);
    try (BufferedReader lines = worker.inputReader(UTF_8);
        KairosClient client = KairosClient.builder(addresses).token(token).build();
        Application application = new Application(EmbeddedKafka.shared().bootstrapServers())) {
      secrets.addAll(
          client
              .pools()
              .create(PoolDefinition.of("hooks").listed("http://127.0.0.1:1234/x"))
              .secrets());
      secrets.addAll(client.pools().rotateKey("hooks", Duration.ofHours(1)).secrets());
      client.schedule(TaskRequest.to("right").payload(secret("payload")).build());
      client.schedule(TaskRequest.to("wrong").payload(secret("failing")).build());
      client.schedule(TaskRequest.toPool("hooks", "/x").payload(secret("pushed")).build());
      application.send(
          Application.message(
              run + ".in", "k", secret("message"), "kairos-id", "m1", "kairos-delay", "PT0S"));
      application.send(
          Application.message(
              run + ".in", "k", secret("dead-letter"), "kairos-id", "m2", "kairos-delay", "soon"));
      assertThat(application.receive(run + ".out", 1, _ -> true)).hasSize(1);
      assertThat(application.receive(run + ".dead", 1, _ -> true)).hasSize(1);
      List<String> shown = new ArrayList<>(started(worker.pid()));
      String printed = awaitPerformed(lines);
      worker.toHandle().destroy(); // unlike the process's own, it leaves the output open
      shown.add(printed + lines.readAllAsString());
      return shown;
    } finally {
      worker.destroyForcibly();
    }
  }

  /** Calls that the node refuses, by the reason and without what was wrong. */
  private void refused(String address, String token) throws Exception {
    String right = "Bearer " + token;
    String wrong = "Bearer " + secret("wrong-token");
    String[][] calls = {
      {wrong, "{\"handler\": \"right\"}"},
      {secret("no-scheme"), "{}"},
      {right, "{\"handler\": \"right\", \"text\": \"" + secret("malformed")},
      {right, "{\"handler\": \"right\", \"json\": {\"a\": \"" + secret("json") + "\"}, \"no\": 1}"},
      {
        right,
        "{\"handler\": \"right\", \"text\": \"" + secret("huge") + "x".repeat(1 << 20) + "\"}"
      },
      {right, "{\"handler\": \"right\", \"payload\": \"" + secret("base64") + "!\"}"},
    };
    try (HttpClient client = HttpClient.newHttpClient()) {
      for (String[] call : calls) {
        HttpRequest request =
            HttpRequest.newBuilder(URI.create("http://" + address + "/v1/tasks"))
                .header("authorization", call[0])
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(call[1]))
                .build();
        assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isBetween(400, 499);
      }
    }
  }
}
