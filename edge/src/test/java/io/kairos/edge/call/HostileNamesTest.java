package io.kairos.edge.call;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Names and paths that are scripts come back as data, or not at all. */
class HostileNamesTest {
  @RegisterExtension static final Edge EDGE = new Edge();

  private static final List<String> ELEMENTS =
      List.of(
          "<script>%s</script>",
          "<img src=x onerror=%s>",
          "<svg onload=%s>",
          "<iframe src=\"javascript:%s\"></iframe>",
          "<a href='javascript:%s'>x</a>",
          "<body onload=%s>",
          "<details open ontoggle=%s>",
          "<math><mi xlink:href=\"data:x,<script>%s</script>\">",
          "<style>@import '%s';</style>",
          "<object data=\"data:text/html,%s\">");

  private static final List<String> BREAKS =
      List.of("%s", "\"'>%s", "-->%s<!--", "</script>%s", "{{%s}}");

  private static final List<String> CODES =
      List.of("alert(1)", "alert`1`", "fetch('//evil.example')", "\u202ealert(1)");

  private static List<String> vectors() {
    List<String> all = new ArrayList<>();
    for (String around : BREAKS) {
      for (String element : ELEMENTS) {
        for (String code : CODES) {
          all.add(around.formatted(element.formatted(code)));
        }
      }
    }
    return all;
  }

  private static void assertData(HttpResponse<String> answer, String vector) {
    assertThat(answer.headers().firstValue("content-type").orElse(""))
        .as(vector)
        .matches("application/(problem\\+)?json.*|text/plain.*|");
    assertThat(answer.headers().firstValue("location")).isEmpty();
  }

  @Test
  void two_hundred_of_them_are_never_html() throws Exception {
    String page = EDGE.get("/ui/").body();
    List<String> vectors = vectors();
    assertThat(vectors).hasSize(200);
    for (String vector : vectors) {
      String escaped = URLEncoder.encode(vector, UTF_8).replace("+", "%20");
      String json = new ObjectMapper().writeValueAsString(Map.of("handler", vector));
      for (String path :
          List.of(
              "/v1/tasks/",
              "/v1/handlers/",
              "/v1/schedules/",
              "/v1/tasks?handler=",
              "/v1/",
              "/ui/lib/",
              "/ui/login/",
              "/readyz?door=",
              "/")) {
        assertData(EDGE.get(path + escaped), vector);
      }
      assertData(EDGE.post("/v1/tasks", json), vector);
      assertData(EDGE.post("/v1/tasks", vector), vector);
      HttpResponse<String> link = EDGE.get("/ui/tasks/" + escaped);
      assertThat(link.body()).as(vector).isEqualTo(page);
      assertThat(EDGE.get("/ui/session?x=" + escaped).body()).doesNotContain("<", ">");
    }
  }
}
