package io.kairos.edge.call;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.PostedId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.task.queue.TopicName;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.cluster.RouteFigures;
import io.kairos.engine.cluster.RouteFigures.Amendments;
import io.kairos.engine.cluster.RouteState;
import io.kairos.engine.cluster.WaitingCounts.Count;
import io.kairos.engine.delay.MessageView;
import io.kairos.engine.delay.letter.LetterPage;
import io.kairos.engine.delay.letter.LetterRecord;
import io.kairos.engine.delay.letter.LettersRefused;
import io.kairos.engine.delay.letter.LettersRefused.Kind;
import io.kairos.engine.delay.letter.RecordPlace;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls about routes, messages and dead letters. */
class RouteCallsTest {
  private static final String HOSTILE = "<img onerror>\0\u202e";

  @RegisterExtension static final Edge EDGE = new Edge();

  private static JsonNode json(HttpResponse<String> answer) throws Exception {
    return new ObjectMapper().readTree(answer.body());
  }

  private static RouteFigures told(String node, long lag) {
    return new RouteFigures(
        node,
        "bills",
        "bills.in",
        "bills.out",
        "bills.dead",
        List.of(new RouteFigures.Input(1, 20, lag)),
        List.of(new RouteFigures.Lane("bills.out", 2, "dead for 12 s", 7)),
        5,
        new Amendments(1, 0, 3));
  }

  @Test
  void routes_are_those_of_all_nodes_with_what_each_tells() throws Exception {
    EDGE.cluster.routes =
        List.of(
            new RouteState("bills", new Count(30_000, true), List.of(told("a", 9), told("b", -1))),
            new RouteState("former", new Count(2, false), List.of()));

    JsonNode routes = json(EDGE.get("/v1/routes")).at("/routes");

    // The clock stands still, so the answer of an earlier test is as fresh: only one test asks.
    assertThat(routes.at("/0/name").asText()).isEqualTo("bills");
    assertThat(routes.at("/0/input").asText()).isEqualTo("bills.in");
    assertThat(routes.at("/0/deadLetters").asText()).isEqualTo("bills.dead");
    assertThat(routes.at("/0/waiting").asText()).isEqualTo("30000");
    assertThat(routes.at("/0/estimated").asBoolean()).isTrue();
    assertThat(routes.at("/0/served").asBoolean()).isTrue();
    assertThat(routes.at("/0/takenOver").asText()).isEqualTo("10");
    assertThat(routes.at("/0/amendments/applied").asText()).isEqualTo("2");
    assertThat(routes.at("/0/amendments/unknownId").asText()).isEqualTo("6");
    assertThat(routes.at("/0/partitions/0/lag").asText()).isEqualTo("9");
    assertThat(routes.at("/0/partitions/1/lag").isMissingNode()).isTrue();
    assertThat(routes.at("/0/partitions/1/node").asText()).isEqualTo("b");
    assertThat(routes.at("/0/lanes/0/trouble").asText()).isEqualTo("dead for 12 s");
    assertThat(routes.at("/1/served").asBoolean()).isFalse();
  }

  @Test
  void a_message_waits_is_ready_or_is_gone() throws Exception {
    String path = "/v1/messages/" + ScriptedMessages.id(1);
    long due = EpochMicros.of(Edge.NOW);
    EDGE.messages.view =
        new MessageView("bills", new MessageView.Stored(due, new TopicName("out"), false));
    assertThat(json(EDGE.get(path)).at("/state").asText()).isEqualTo("WAITING");
    assertThat(json(EDGE.get(path)).at("/runAt").asText()).isEqualTo("2030-01-01T00:00:00Z");
    assertThat(json(EDGE.get(path)).at("/topic").asText()).isEqualTo("out");

    EDGE.messages.view =
        new MessageView("bills", new MessageView.Stored(due, new TopicName("out"), true));
    assertThat(json(EDGE.get(path)).at("/state").asText()).isEqualTo("READY");

    EDGE.messages.view = new MessageView("bills", null);
    JsonNode gone = json(EDGE.get(path));
    assertThat(gone.at("/state").asText()).isEqualTo("GONE");
    assertThat(gone.at("/route").asText()).isEqualTo("bills");
    assertThat(gone.at("/runAt").isMissingNode()).isTrue();
  }

  @Test
  void a_message_of_an_input_topic_is_found_by_its_route_and_its_own_id() throws Exception {
    JsonNode found = json(EDGE.get("/v1/messages/order%2F7?route=bills"));

    assertThat(found.at("/id").asText()).isEqualTo("order/7");
    assertThat(EDGE.messages.found).containsExactly(new MessageId("order/7"));
    assertThat(EDGE.get("/v1/messages/7?route=other").statusCode()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(strings = {"order-7", "019b76da-a800-7000-8000-000000000004"})
  void what_is_no_id_is_refused(String id) throws Exception {
    HttpResponse<String> answer = EDGE.get("/v1/messages/" + id);

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    assertThat(json(answer).at("/field").asText()).isEqualTo("id");
  }

  @Test
  void no_id_has_a_nul_or_more_than_128_characters() throws Exception {
    assertThat(EDGE.get("/v1/messages/x%00y?route=bills").statusCode()).isEqualTo(400);
    assertThat(EDGE.get("/v1/messages/" + "x".repeat(129) + "?route=bills").statusCode())
        .isEqualTo(400);
    assertThat(EDGE.messages.found).isEmpty();
  }

  @Test
  void a_message_of_another_node_s_route_is_not_found() throws Exception {
    PostedId other = PostedId.at(Edge.NOW.toEpochMilli(), new RouteId(99), 1);

    assertThat(EDGE.get("/v1/messages/" + other).statusCode()).isEqualTo(404);
  }

  private static LetterRecord letter() {
    return new LetterRecord(
        new RecordPlace(1, 7),
        Long.MAX_VALUE,
        HOSTILE.getBytes(UTF_8),
        new byte[] {1, 2},
        List.of(
            new MessageHeader("own", null),
            new MessageHeader("kairos-reason", "too-large".getBytes(UTF_8)),
            new MessageHeader("kairos-reason-detail", HOSTILE.getBytes(UTF_8)),
            new MessageHeader("kairos-original-bytes", new byte[] {-1}),
            new MessageHeader("kairos-source-topic", "in".getBytes(UTF_8))),
        2_000_000,
        true);
  }

  @Test
  void dead_letters_are_shown_in_parts_and_groups_and_a_token_goes_on() throws Exception {
    EDGE.messages.letters.page =
        new LetterPage(
            List.of(letter()),
            List.of(new LetterPage.Group("too-large", "ff", HOSTILE, 3, -1, 5)),
            12,
            Map.of(0, 5L, 255, Long.MAX_VALUE));

    JsonNode page =
        json(EDGE.get("/v1/routes/bills/deadLetters?pageSize=7&reason=too-large&maxValueBytes=9"));

    assertThat(page.at("/letters/0/partition").asInt()).isEqualTo(1);
    assertThat(page.at("/letters/0/offset").asText()).isEqualTo("7");
    assertThat(page.at("/letters/0/detail").asText()).isEqualTo(HOSTILE);
    assertThat(page.at("/letters/0/at").asText()).startsWith("9999-12-31T");
    assertThat(page.at("/letters/0/valueBytes").asText()).isEqualTo("2000000");
    assertThat(page.at("/letters/0/value").asText()).isEqualTo("AQI=");
    assertThat(page.at("/letters/0/truncated").asBoolean()).isTrue();
    assertThat(page.at("/letters/0/cut").asBoolean()).isTrue();
    assertThat(page.at("/letters/0/headers/0/name").asText()).isEqualTo("own");
    assertThat(page.at("/groups/0/count").asText()).isEqualTo("3");
    assertThat(page.at("/read").asText()).isEqualTo("12");
    String token = page.at("/nextPageToken").asText();

    String next = "/v1/routes/bills/deadLetters?reason=too-large&pageToken=" + token;
    assertThat(EDGE.get(next).statusCode()).isEqualTo(200);
    assertThat(EDGE.messages.letters.queries.getLast().before())
        .isEqualTo(Map.of(0, 5L, 255, Long.MAX_VALUE));
    for (String other :
        List.of(
            next.replace("bills", "others"),
            next.replace("too-large", "too-late"),
            next + "&fingerprint=x",
            next.substring(0, next.length() - 4),
            next + "AAAA")) {
      HttpResponse<String> refused = EDGE.get(other);
      assertThat(refused.statusCode()).as(other).isEqualTo(400);
      assertThat(json(refused).at("/field").asText()).isEqualTo("page_token");
    }
  }

  @Test
  void values_are_shown_only_when_they_are_asked_for() throws Exception {
    EDGE.messages.letters.page = new LetterPage(List.of(letter()), List.of(), 1, Map.of());

    JsonNode page = json(EDGE.get("/v1/routes/bills/deadLetters"));

    assertThat(page.at("/letters/0/value").isMissingNode()).isTrue();
    assertThat(page.at("/nextPageToken").asText()).isEmpty();
    assertThat(EDGE.messages.letters.queries.getLast().valueBytes()).isZero();
    assertThat(EDGE.messages.letters.queries.getLast().most()).isEqualTo(50);
  }

  @Test
  void a_letter_is_shown_with_its_value_once_somebody_asks_for_it() throws Exception {
    EDGE.messages.letters.page = new LetterPage(List.of(letter()), List.of(), 1, Map.of());
    String path = "/v1/routes/bills/deadLetters/1/7";

    assertThat(json(EDGE.get(path + "?maxValueBytes=9")).at("/value").asText()).isEqualTo("AQI=");
    assertThat(json(EDGE.get(path)).at("/detail").asText()).isEqualTo(HOSTILE);
    assertThat(json(EDGE.get(path)).at("/value").isMissingNode()).isTrue();
    assertThat(EDGE.get("/v1/routes/bills/deadLetters/1/8").statusCode()).isEqualTo(404);
    for (String wrong : List.of("-1/7", "1/-7", "1/x", "1/7?maxValueBytes=4097")) {
      assertThat(EDGE.get("/v1/routes/bills/deadLetters/" + wrong).statusCode())
          .as(wrong)
          .isEqualTo(400);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "pageSize=101, page_size",
    "pageSize=-1, page_size",
    "maxValueBytes=4097, max_value_bytes",
    "maxValueBytes=-1, max_value_bytes",
    "pageToken=x, page_token",
    "pageToken=AAAAAA, page_token",
  })
  void a_bad_question_is_refused_with_its_field(String query, String field) throws Exception {
    HttpResponse<String> answer = EDGE.get("/v1/routes/bills/deadLetters?" + query);

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    assertThat(json(answer).at("/field").asText()).isEqualTo(field);
  }

  private static HttpResponse<String> republish(String body) throws Exception {
    return EDGE.post("/v1/routes/bills/deadLetters/1/7:republish", body);
  }

  @Test
  void a_letter_is_published_again_as_it_is_or_corrected_and_is_in_the_audit_log()
      throws Exception {
    JsonNode answer = json(republish("{}"));
    assertThat(answer.at("/partition").asInt()).isEqualTo(3);
    assertThat(answer.at("/offset").asText()).isEqualTo("4000000000");
    republish(
        """
        {"again": true, "correction": {"runAt": "2030-01-01T00:00:00Z", "value": "",
        "headers": [{"name": "kairos-id", "value": "Nw=="}], "removeHeaders": ["own"]}}
        """);

    ScriptedLetters.Republished asIs = EDGE.messages.letters.republished.getFirst();
    ScriptedLetters.Republished corrected = EDGE.messages.letters.republished.getLast();
    assertThat(asIs.route()).isEqualTo("bills");
    assertThat(asIs.letter()).isEqualTo(new RecordPlace(1, 7));
    assertThat(asIs.again()).isFalse();
    assertThat(asIs.correction().value()).isEmpty();
    assertThat(corrected.again()).isTrue();
    assertThat(corrected.correction().runAt()).contains(Edge.NOW);
    assertThat(corrected.correction().value().orElseThrow()).isEmpty();
    assertThat(corrected.correction().headers())
        .containsExactly(new MessageHeader("kairos-id", new byte[] {'7'}));
    assertThat(corrected.correction().removed()).isEqualTo(Set.of("own"));
    assertThat(EDGE.audit.entries())
        .hasSize(2)
        .allSatisfy(entry -> {
          var call = entry.call();
          assertThat(call.action()).isEqualTo("RepublishDeadLetter");
          assertThat(call.kind()).isEqualTo("route");
          assertThat(call.object()).isEqualTo("bills");
          assertThat(call.detail()).startsWith("partition=1, offset=7");
        })
        .anySatisfy(entry ->
            assertThat(entry.call().detail())
                .endsWith("offset=7, again=true, run_at=2030-01-01T00:00:00Z"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"correction": {"headers": [{"name": ""}]}} | correction.headers[0].name
          {"correction": {"headers": [{"name": "kairos-reason"}]}} | correction.headers[0].name
          {"correction": {"removeHeaders": [""]}} | correction.remove_headers
          {"correction": {"runAt": "0000-01-01T00:00:00Z"}} | correction.run_at
          """)
  void a_bad_correction_is_refused_with_its_field(String body, String field) throws Exception {
    HttpResponse<String> answer = republish(body);

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    assertThat(EDGE.messages.letters.republished).isEmpty();
    assertThat(answer.body()).contains(field.substring(field.lastIndexOf('.') + 1));
  }

  @Test
  void too_many_headers_and_names_that_are_too_long_are_refused() throws Exception {
    String header = "{\"name\": \"%s\"}";
    String many = String.join(",", java.util.Collections.nCopies(101, header.formatted("a")));

    assertThat(republish("{\"correction\": {\"headers\": [" + many + "]}}").statusCode())
        .isEqualTo(400);
    String longName = header.formatted("a".repeat(257));
    assertThat(republish("{\"correction\": {\"headers\": [" + longName + "]}}").statusCode())
        .isEqualTo(400);
    assertThat(EDGE.post("/v1/routes/bills/deadLetters/-1/7:republish", "{}").statusCode())
        .isEqualTo(400);
    assertThat(EDGE.post("/v1/routes/bills/deadLetters/x/7:republish", "{}").statusCode())
        .isEqualTo(400);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void every_refusal_has_its_status_and_says_what_was_wrong(Kind kind) throws Exception {
    EDGE.messages.letters.refusal = new LettersRefused(kind, "what was wrong");

    HttpResponse<String> answer = republish("{}");

    assertThat(answer.statusCode())
        .isEqualTo(
            switch (kind) {
              case UNKNOWN -> 404;
              case INVALID, NOT_ALLOWED -> 400;
              case PUBLISHED_BEFORE -> 409;
              case BUSY -> 429;
              case AWAY, IN_DOUBT -> 503;
            });
    assertThat(json(answer).at("/detail").asText()).contains("what was wrong");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/v1/routes/bills/deadLetters",
        "/v1/routes/bills/deadLetters/1/7",
        "/v1/messages/ID"
      })
  void a_node_without_a_broker_says_what_to_do(String path) throws Exception {
    EDGE.hasBroker = false;

    HttpResponse<String> answer = EDGE.get(path.replace("ID", ScriptedMessages.id(0).toString()));

    assertThat(answer.statusCode()).isEqualTo(501);
    assertThat(json(answer).at("/detail").asText()).contains("no broker");
  }
}
