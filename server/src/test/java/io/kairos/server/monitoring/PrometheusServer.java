package io.kairos.server.monitoring;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kairos.embedded.LoopbackPort;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * A Prometheus of this machine on a free port of loopback, which scrapes each second and evaluates
 * the alert rules of {@code deploy}, until it is closed.
 */
public final class PrometheusServer implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long ENDS_WITHIN_SECONDS = 30;

  private final HttpClient http = HttpClient.newHttpClient();
  private final Process process;
  private final int port;
  private final Path log;

  private PrometheusServer(Process process, int port, Path log) {
    this.process = process;
    this.port = port;
    this.log = log;
  }

  /**
   * Starts it.
   *
   * @param folder for its data
   * @param jobs addresses, host:port, by the name of the job
   */
  public static PrometheusServer start(Path folder, Map<String, List<String>> jobs)
      throws IOException {
    int port = LoopbackPort.choose();
    String targets =
        jobs.entrySet().stream()
            .map(job ->
                "  - job_name: %s\n    static_configs: [{targets: %s}]\n"
                    .formatted(job.getKey(), JSON.valueToTree(job.getValue())))
            .collect(Collectors.joining());
    Path config =
        Files.writeString(
            folder.resolve("prometheus.yaml"),
            """
            global: {scrape_interval: 1s, evaluation_interval: 1s}
            rule_files: [%s]
            scrape_configs:
            %s
            """
                .formatted(AlertRules.FILE.toAbsolutePath().normalize(), targets));
    Path log = folder.resolve("prometheus.log");
    Process process =
        new ProcessBuilder(
                PrometheusProgram.named("prometheus"),
                "--config.file=" + config,
                "--storage.tsdb.path=" + folder.resolve("data"),
                "--web.listen-address=127.0.0.1:" + port)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    return new PrometheusServer(process, port, log);
  }

  /** The result of an expression at this moment: one element for each series. */
  public List<JsonNode> query(String expression) throws IOException, InterruptedException {
    JsonNode answer = get("query?query=" + URLEncoder.encode(expression, UTF_8));
    if (!answer.path("status").asText().equals("success")) {
      throw new AssertionError(expression + ": " + answer);
    }
    return StreamSupport.stream(answer.path("data").path("result").spliterator(), false).toList();
  }

  /** The health of each alert rule by its name: {@code unknown} before its first evaluation. */
  public Map<String, String> health() throws IOException, InterruptedException {
    return get("rules").path("data").path("groups").findValues("rules").stream()
        .flatMap(rules -> StreamSupport.stream(rules.spliterator(), false))
        .collect(
            Collectors.toMap(
                rule -> rule.path("name").asText(),
                rule -> rule.path("health").asText() + rule.path("lastError").asText()));
  }

  /** True when it answers. Fails when it has ended. */
  public boolean isReady() throws InterruptedException {
    if (!process.isAlive()) {
      throw new AssertionError("Prometheus has ended:\n" + printed());
    }
    try {
      return send("/-/ready").statusCode() == 200;
    } catch (IOException e) {
      return false; // it does not listen yet
    }
  }

  private String printed() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private JsonNode get(String path) throws IOException, InterruptedException {
    return JSON.readTree(send("/api/v1/" + path).body());
  }

  private HttpResponse<String> send(String path) throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(Duration.ofSeconds(ENDS_WITHIN_SECONDS))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(ENDS_WITHIN_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    http.close();
  }
}
