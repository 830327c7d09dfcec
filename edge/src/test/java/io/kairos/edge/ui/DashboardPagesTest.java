package io.kairos.edge.ui;

import static io.kairos.edge.ui.DashboardEdge.header;
import static io.kairos.edge.ui.DashboardEdge.text;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kairos.edge.caller.CallersConfig;
import io.kairos.edge.session.DashboardConfig;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpResponse;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DashboardPagesTest {
  private static final Pattern LINKED = Pattern.compile("(?:src|href)=\"([^\"]+)\"");
  private static final Pattern IMPORTED =
      Pattern.compile("(?:\\bfrom|\\bimport)\\s*\\(?\\s*['\"]([^'\"]+)['\"]");

  private final DashboardEdge edge = edge(DashboardConfig.DEFAULT);

  private static DashboardEdge edge(DashboardConfig config) {
    return new DashboardEdge(CallersConfig.NONE, config);
  }

  @AfterEach
  void close() {
    edge.close();
  }

  private String index() throws Exception {
    return text(edge.get("/ui/"));
  }

  private static String importMap(String index) {
    return index.replaceAll("(?s).*<script type=\"importmap\">(.*?)</script>.*", "$1");
  }

  @Test
  void the_page_may_load_from_its_process_only_and_run_no_script_of_its_own_but_the_import_map()
      throws Exception {
    HttpResponse<byte[]> page = edge.get("/ui/");
    byte[] hash =
        MessageDigest.getInstance("SHA-256").digest(importMap(text(page)).getBytes(UTF_8));

    assertThat(header(page, "content-security-policy"))
        .isEqualTo(
            "default-src 'self'; script-src 'self' 'sha256-"
                + Base64.getEncoder().encodeToString(hash)
                + "'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'");
    assertThat(header(page, "x-content-type-options")).isEqualTo("nosniff");
    assertThat(header(page, "referrer-policy")).isEqualTo("no-referrer");
    assertThat(header(page, "content-type")).isEqualTo("text/html; charset=utf-8");
    assertThat(text(page)).doesNotContainPattern("\\s(on\\w+|style)\\s*=|<style");
    assertThat(text(page).split("<script(?![^>]*\\bsrc=)", -1)).hasSize(2);
  }

  @Test
  void every_file_that_the_page_and_its_scripts_name_is_served() throws Exception {
    JsonNode names = new ObjectMapper().readTree(importMap(index())).path("imports");
    Set<URI> seen = new HashSet<>();
    Deque<URI> open = new ArrayDeque<>(List.of(edge.uri("/ui/")));
    while (!open.isEmpty()) {
      URI at = open.pop();
      if (!seen.add(at)) {
        continue;
      }
      HttpResponse<byte[]> file = edge.raw("GET", at, "", Map.of());
      assertThat(file.statusCode()).as("%s", at).isEqualTo(200);
      String type = header(file, "content-type");
      boolean isScript = type.startsWith("text/javascript");
      assertThat(isScript)
          .as("%s is %s", at, type)
          .isEqualTo(requireNonNull(at.getPath()).endsWith(".js"));
      if (isScript || type.startsWith("text/html")) {
        Matcher name = (isScript ? IMPORTED : LINKED).matcher(text(file));
        while (name.find()) {
          open.push(at.resolve(mapped(requireNonNull(name.group(1)), names)));
        }
      }
    }
    assertThat(seen).contains(edge.uri("/ui/lib/lit-html/lit-html.js"));
  }

  /** By the rules of import maps: the whole name, or else the longest beginning with a slash. */
  private static String mapped(String name, JsonNode names) {
    if (names.has(name)) {
      return names.path(name).asText();
    }
    for (int slash = name.length(); slash > 0; slash = name.lastIndexOf('/', slash - 1)) {
      String beginning = name.substring(0, Math.min(slash + 1, name.length()));
      if (names.has(beginning)) {
        return names.path(beginning).asText() + name.substring(beginning.length());
      }
    }
    return name;
  }

  @Test
  void a_file_is_sent_once_and_compressed_for_whoever_takes_that() throws Exception {
    HttpResponse<byte[]> plain = edge.get("/ui/app.js");
    HttpResponse<byte[]> zipped =
        edge.get("/ui/app.js", Map.of("accept-encoding", "br;q=1.0, gzip"));
    String tag = header(plain, "etag");

    assertThat(tag).matches("W/\"[\\w-]{16}\"").isEqualTo(header(zipped, "etag"));
    assertThat(header(plain, "content-encoding")).isEmpty();
    assertThat(header(zipped, "content-encoding")).isEqualTo("gzip");
    assertThat(new GZIPInputStream(new ByteArrayInputStream(zipped.body())).readAllBytes())
        .isEqualTo(plain.body());
    assertThat(header(plain, "cache-control")).isEqualTo("no-cache");
    assertThat(header(plain, "vary")).isEqualTo("accept-encoding");
    for (String none : List.of("identity", "gzip;q=0", "gzip;q=0.0, br")) {
      assertThat(
              header(edge.get("/ui/app.js", Map.of("accept-encoding", none)), "content-encoding"))
          .as(none)
          .isEmpty();
    }
    for (String known : List.of(tag, tag.substring(2), "\"a\", " + tag, "*")) {
      HttpResponse<byte[]> again = edge.get("/ui/app.js", Map.of("if-none-match", known));
      assertThat(again.statusCode()).as(known).isEqualTo(304);
      assertThat(again.body()).isEmpty();
    }
    assertThat(edge.get("/ui/app.js", Map.of("if-none-match", "\"a\"")).statusCode())
        .isEqualTo(200);
    HttpResponse<byte[]> head = edge.raw("HEAD", edge.uri("/ui/app.js"), "", Map.of());
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    assertThat(header(head, "etag")).isEqualTo(tag);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/ui/tasks",
        "/ui/tasks?state=DEAD&handler=x",
        "/ui/tasks/0190163d-8694-739b-aea5-966c26f8ad91",
        "/ui/handlers/mail.send",
        "/ui/handlers/app.js",
        "/ui/handlers/a%2Fb",
        "/ui/login",
        "/ui/index.html"
      })
  void a_link_into_the_dashboard_leads_to_its_page(String path) throws Exception {
    HttpResponse<byte[]> page = edge.get(path);

    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(text(page)).isEqualTo(index());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/ui/other.js",
        "/ui/libraries.txt",
        "/ui/lib/lit/package.json",
        "/ui/lib/lit/3.3.2/index.js",
        "/ui/lib/lit-html/directives/unsafe-html.js",
        "/ui/lib/lit/directives/style-map.js",
        "/ui/lib/lit%2Findex.js",
        "/ui/lib/../../../META-INF/MANIFEST.MF",
        "/ui/%2e%2e/%2e%2e/META-INF/MANIFEST.MF"
      })
  void nothing_else_of_the_class_path_is_served(String path) throws Exception {
    HttpResponse<byte[]> answer = edge.get(path);

    assertThat(answer.statusCode()).isIn(400, 404);
    assertThat(header(answer, "content-type")).startsWith("application/problem+json");
  }

  @Test
  void the_greeting_names_the_dashboard_where_it_is_on() throws Exception {
    assertThat(edge.get("/ui").statusCode()).isEqualTo(302);
    assertThat(header(edge.get("/ui"), "location")).isEqualTo("/ui/");
    assertThat(text(edge.get("/"))).contains("/ui is the dashboard");
    assertThat(edge.post("/ui/", "", DashboardEdge.PAGE).statusCode()).isBetween(400, 499);
    DashboardConfig off =
        new DashboardConfig(
            Optional.of(false),
            false,
            Optional.empty(),
            DashboardConfig.DEFAULT.sessionLength(),
            Optional.empty());
    try (DashboardEdge without = edge(off)) {
      assertThat(text(without.get("/"))).doesNotContain("/ui");
      for (String path : List.of("/ui", "/ui/", "/ui/app.js", "/ui/session", "/ui/login/corp")) {
        assertThat(without.get(path).statusCode()).as(path).isEqualTo(404);
      }
    }
  }

  @Test
  void pages_of_others_may_lead_to_the_dashboard_and_load_nothing_of_it() throws Exception {
    Map<String, String> other = Map.of("sec-fetch-site", "cross-site");
    for (String path : List.of("/ui/", "/ui/app.js", "/ui/session")) {
      assertThat(edge.get(path, other).statusCode()).as(path).isEqualTo(403);
    }
    assertThat(
            edge.get(
                    "/ui/tasks",
                    Map.of(
                        "sec-fetch-site", "cross-site",
                        "sec-fetch-mode", "navigate",
                        "sec-fetch-dest", "document"))
                .statusCode())
        .isEqualTo(200);
  }
}
