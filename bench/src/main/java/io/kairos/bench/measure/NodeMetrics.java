package io.kairos.bench.measure;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The samples of one node's {@code /metrics}, read once. Text format 0.0.4 of Prometheus. */
public final class NodeMetrics {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** As collectors of metrics do it, and not with an upgrade of each connection. */
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(PATIENCE).build();

  private static final Pattern SAMPLE =
      Pattern.compile("^([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{[^}]*\\})? ([^ ]+)$");

  private final List<Sample> samples;

  private record Sample(String name, String labels, double value) {}

  private NodeMetrics(List<Sample> samples) {
    this.samples = samples;
  }

  /**
   * Asks a node.
   *
   * @throws IOException when it does not answer
   */
  public static NodeMetrics scrape(URI metrics) throws IOException {
    try {
      HttpResponse<String> response =
          CLIENT.send(
              HttpRequest.newBuilder(metrics).timeout(PATIENCE).build(),
              HttpResponse.BodyHandlers.ofString());
      return parse(response.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while asking " + metrics, e);
    }
  }

  /** Whether a node answers a request with 200. */
  public static boolean answers(URI uri) {
    try {
      return CLIENT
              .send(
                  HttpRequest.newBuilder(uri).timeout(PATIENCE).build(),
                  HttpResponse.BodyHandlers.discarding())
              .statusCode()
          == 200;
    } catch (IOException notYet) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while asking " + uri, e);
    }
  }

  static NodeMetrics parse(String text) {
    List<Sample> samples = new ArrayList<>();
    for (String line : text.split("\n", -1)) {
      Matcher sample = SAMPLE.matcher(line.strip());
      if (sample.matches()) {
        String labels = sample.group(2);
        samples.add(
            new Sample(
                requireNonNull(sample.group(1)),
                labels == null ? "" : labels,
                Double.parseDouble(requireNonNull(sample.group(3)).replace("Inf", "Infinity"))));
      }
    }
    return new NodeMetrics(samples);
  }

  /** The sum over all samples of this name; zero when there is none. */
  public double sum(String name) {
    return samples.stream()
        .filter(sample -> sample.name.equals(name))
        .mapToDouble(Sample::value)
        .sum();
  }

  /** The sum over the samples of this name whose labels contain the text. */
  public double sum(String name, String label) {
    return samples.stream()
        .filter(sample -> sample.name.equals(name) && sample.labels.contains(label))
        .mapToDouble(Sample::value)
        .sum();
  }

  public boolean has(String name) {
    return samples.stream().anyMatch(sample -> sample.name.equals(name));
  }
}
