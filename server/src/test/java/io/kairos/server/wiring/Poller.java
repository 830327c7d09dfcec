package io.kairos.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/** Somebody outside who drives nodes, as curl would. Thread-safe. */
final class Poller implements AutoCloseable {
  private final HttpClient http = HttpClient.newBuilder().version(Version.HTTP_1_1).build();
  private final ObjectMapper json = new ObjectMapper();

  static HttpRequest request(RunningNode node) {
    return HttpRequest.newBuilder(URI.create("http://" + Configured.address(node) + "/v1/poll"))
        .header("content-type", "application/json")
        .POST(BodyPublishers.ofString("{}"))
        .build();
  }

  /** How much this step says that it has done. */
  int poll(RunningNode node, String step) throws IOException, InterruptedException {
    HttpResponse<String> answer = http.send(request(node), BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    for (JsonNode one : json.readTree(answer.body()).get("steps")) {
      if (one.get("name").asText().equals(step)) {
        return one.get("done").asInt();
      }
    }
    throw new AssertionError("no " + step + " in " + answer.body());
  }

  @Override
  public void close() {
    http.close();
  }
}
