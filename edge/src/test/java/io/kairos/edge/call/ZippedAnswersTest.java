package io.kairos.edge.call;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.engine.cluster.ClusterFigures;
import io.kairos.engine.cluster.ClusterFigures.ClusterPeriod;
import io.kairos.engine.cluster.FigurePeriod;
import io.kairos.engine.cluster.PeriodFigures;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers of REST are compressed for whoever takes that. */
class ZippedAnswersTest {
  @RegisterExtension static final Edge EDGE = new Edge();
  private static final String FIGURES = "/v1/cluster/figures";

  private static void figures(int periods) {
    long last = FigurePeriod.of(Edge.NOW);
    EDGE.cluster.figures =
        new ClusterFigures(
            LongStream.range(last - periods, last)
                .mapToObj(period -> new ClusterPeriod(period, 1, PeriodFigures.NONE))
                .toList(),
            true);
  }

  private static HttpResponse<byte[]> send(HttpRequest.Builder request, String taken)
      throws Exception {
    return EDGE.http()
        .send(request.header("accept-encoding", taken).build(), BodyHandlers.ofByteArray());
  }

  private static HttpResponse<byte[]> get(String path, String taken) throws Exception {
    return send(HttpRequest.newBuilder(EDGE.uri(path)), taken);
  }

  private static List<String> encoding(HttpResponse<?> answer) {
    return answer.headers().allValues("content-encoding");
  }

  private static byte[] unzipped(HttpResponse<byte[]> answer) throws Exception {
    return new GZIPInputStream(new ByteArrayInputStream(answer.body())).readAllBytes();
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "gzip, deflate, br, zstd", "br;q=1.0, gzip;q=0.5", "*"})
  void figures_are_compressed_once_for_whoever_takes_gzip(String taken) throws Exception {
    figures(720);
    HttpResponse<String> plain = EDGE.get(FIGURES);

    HttpResponse<byte[]> zipped = get(FIGURES, taken);

    assertThat(encoding(plain)).isEmpty();
    assertThat(encoding(zipped)).containsExactly("gzip");
    assertThat(zipped.headers().allValues("vary")).containsExactly("accept-encoding");
    assertThat(zipped.headers().allValues("content-type"))
        .isEqualTo(plain.headers().allValues("content-type"));
    assertThat(zipped.headers().allValues("cache-control")).containsExactly("no-store");
    assertThat(unzipped(zipped)).asString().isEqualTo(plain.body());
    assertThat(zipped.body().length).isLessThan(plain.body().length() / 8);
  }

  @ParameterizedTest
  @ValueSource(strings = {"identity", "br", "gzip;q=0", "gzip;q=0.0, identity", ""})
  void who_does_not_take_gzip_gets_plain_text(String taken) throws Exception {
    figures(720);

    HttpResponse<byte[]> answer = get(FIGURES, taken);

    assertThat(encoding(answer)).isEmpty();
    assertThat(answer.body()).asString().isEqualTo(EDGE.get(FIGURES).body());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10_000})
  void the_small_and_the_large_stay_as_they_are(int periods) throws Exception {
    figures(periods);

    assertThat(encoding(get(FIGURES, "gzip"))).isEmpty();
  }

  /** Of more than a kilobyte. */
  private static String schedule(String name) {
    String target = "{\"handler\": \"made\", \"text\": \"" + "x".repeat(900) + "\"}";
    return "{\"name\": \"" + name + "\", \"every\": \"60s\", \"target\": " + target + "}";
  }

  @Test
  void an_answer_to_a_post_and_a_refusal_stay_as_they_are() throws Exception {
    HttpResponse<byte[]> made =
        send(EDGE.json("POST", "/v1/schedules", schedule("posted")), "gzip");
    HttpResponse<byte[]> refused = get("/v1/tasks?states=" + "x".repeat(2_000), "gzip");

    assertThat(made.statusCode()).as(new String(made.body(), UTF_8)).isEqualTo(200);
    assertThat(encoding(made)).isEmpty();
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(encoding(refused)).isEmpty();
  }

  @Test
  void an_entity_tag_is_the_same_and_can_be_given_back() throws Exception {
    assertThat(EDGE.post("/v1/schedules", schedule("tagged")).statusCode()).isEqualTo(200);
    String path = "/v1/schedules/tagged";
    HttpResponse<String> plain = EDGE.get(path);
    String tag = plain.headers().firstValue("etag").orElseThrow();

    HttpResponse<byte[]> zipped = get(path, "gzip");

    assertThat(encoding(zipped)).containsExactly("gzip");
    assertThat(unzipped(zipped)).asString().isEqualTo(plain.body());
    assertThat(zipped.headers().allValues("etag")).containsExactly(tag);
    assertThat(
            EDGE.send(EDGE.json("PATCH", path, "{\"every\": \"70s\"}").header("if-match", tag))
                .statusCode())
        .isEqualTo(200);
    assertThat(
            EDGE.send(EDGE.json("PATCH", path, "{\"every\": \"80s\"}").header("if-match", tag))
                .statusCode())
        .isEqualTo(412);
  }

  @Test
  void a_question_for_the_head_alone_is_answered_as_without_compression() throws Exception {
    figures(720);
    HttpRequest.Builder head =
        HttpRequest.newBuilder(EDGE.uri(FIGURES)).method("HEAD", BodyPublishers.noBody());
    HttpResponse<byte[]> plain = send(head.copy(), "identity");

    HttpResponse<byte[]> answer = send(head, "gzip");

    assertThat(answer.statusCode()).isEqualTo(plain.statusCode());
    assertThat(undated(answer)).isEqualTo(undated(plain));
    assertThat(answer.body()).isEmpty();
  }

  /** Returns the headers without the date: the second may turn between two answers. */
  private static Map<String, List<String>> undated(HttpResponse<?> answer) {
    var headers = new HashMap<>(answer.headers().map());
    headers.remove("date");
    return headers;
  }
}
