package io.kairos.bench.dashboard;

import io.kairos.bench.load.BenchWait;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;

/** Makes requests as the scripts of the dashboard do, without reading the answers. Thread-safe. */
final class ScreenClient implements AutoCloseable {
  private static final int OK = 200;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final URI node;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(PATIENCE).build();

  ScreenClient(URI node) {
    this.node = node;
  }

  /**
   * An answer.
   *
   * @param bytes of the body, as they were sent
   */
  record Answer(int status, long nanos, int bytes) {
    boolean isError() {
      return status != OK;
    }
  }

  /** Makes a request, and waits for the whole answer. */
  Answer call(ScreenCall call) throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(node.resolve(call.target().apply(Instant.now())))
            .timeout(PATIENCE)
            .header("accept", "application/json")
            .header("accept-encoding", "gzip, deflate, br, zstd")
            .header("cache-control", "no-cache")
            .header("sec-fetch-site", "same-origin")
            .header("x-kairos-ui", "1");
    if (!call.body().isEmpty()) {
      request
          .header("content-type", "application/json")
          .POST(HttpRequest.BodyPublishers.ofString(call.body()));
    }
    long began = System.nanoTime();
    try {
      HttpResponse<byte[]> answer =
          http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
      return new Answer(answer.statusCode(), System.nanoTime() - began, answer.body().length);
    } catch (InterruptedException e) {
      throw BenchWait.interrupted("an answer to " + call, e);
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
