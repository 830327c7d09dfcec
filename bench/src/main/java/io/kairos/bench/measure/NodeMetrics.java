package io.kairos.bench.measure;

import static java.util.Objects.requireNonNull;

import io.kairos.bench.load.BenchWait;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;

/** The samples of one node's {@code /metrics}, read once. Text format 0.0.4 of Prometheus. */
public final class NodeMetrics {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private static volatile HttpClient client = clients().build();

  private static final Pattern SAMPLE =
      Pattern.compile("^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{[^}]*\\})? ([^ ]+)$");

  private final Map<String, Double> sums;

  private NodeMetrics(Map<String, Double> sums) {
    this.sums = sums;
  }

  /** HTTP/1.1 as collectors of metrics use it, without an upgrade of each connection. */
  private static HttpClient.Builder clients() {
    return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(PATIENCE);
  }

  /** Asks nodes by this TLS from now on, if they speak it. */
  public static void use(SSLContext tls) {
    HttpClient former = client;
    client = clients().sslContext(tls).build();
    former.shutdown();
  }

  /**
   * Asks a node.
   *
   * @throws IOException when it does not answer
   */
  public static NodeMetrics scrape(URI metrics) throws IOException {
    return parse(get(metrics, HttpResponse.BodyHandlers.ofString()).body());
  }

  /** The HTTP status with which a node answers a request; 0 when it does not answer. */
  public static int status(URI uri) {
    try {
      return get(uri, HttpResponse.BodyHandlers.discarding()).statusCode();
    } catch (IOException notYet) {
      return 0;
    }
  }

  private static <T> HttpResponse<T> get(URI uri, HttpResponse.BodyHandler<T> body)
      throws IOException {
    try {
      return client.send(HttpRequest.newBuilder(uri).timeout(PATIENCE).build(), body);
    } catch (InterruptedException e) {
      throw BenchWait.interrupted("an answer of " + uri, e);
    }
  }

  static NodeMetrics parse(String text) {
    Map<String, Double> sums = new HashMap<>();
    for (String line : text.split("\n", -1)) {
      Matcher sample = SAMPLE.matcher(line.strip());
      if (sample.matches()) {
        String value = requireNonNull(sample.group(2)).replace("Inf", "Infinity");
        sums.merge(requireNonNull(sample.group(1)), Double.parseDouble(value), Double::sum);
      }
    }
    return new NodeMetrics(sums);
  }

  /** The sum over all samples of this name; zero when there is none. */
  public double sum(String name) {
    return sums.getOrDefault(name, 0.0);
  }
}
