package io.kairos.edge.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kairos.api.v1.GetHandlerRequest;
import io.kairos.api.v1.Handler;
import io.kairos.api.v1.HandlerServiceGrpc;
import io.kairos.api.v1.HandlerServiceGrpc.HandlerServiceBlockingStub;
import io.kairos.api.v1.Queue;
import io.kairos.api.v1.UpdateHandlerRequest;
import io.kairos.api.v1.UpdateQueueRequest;
import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.WorkingCalendar;
import io.kairos.domain.schedule.definition.ScheduleName;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nobody overwrites a change that was made after their read. */
class EntityTagTest {
  @RegisterExtension static final Edge EDGE = new Edge();
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String POOL = "/v1/pools/p";
  private static final String SCHEDULE = "/v1/schedules/s";
  private static final String CALENDAR = "/v1/calendars/c";

  @BeforeEach
  void make() throws Exception {
    done(EDGE.post("/v1/pools", "{\"name\": \"p\", \"registered\": {}}"));
    done(
        EDGE.post(
            "/v1/schedules",
            "{\"name\": \"s\", \"every\": \"60s\", \"target\": {\"handler\": \"made\"}}"));
    done(EDGE.put(CALENDAR, "{\"rules\": \"week MON-FRI\"}"));
    EDGE.tasks.queues.made.clear();
  }

  private static JsonNode done(HttpResponse<String> answer) throws Exception {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return JSON.readTree(answer.body());
  }

  private static String tag(HttpResponse<String> shown) {
    return shown.headers().firstValue("etag").orElseThrow();
  }

  private static HttpResponse<String> change(String method, String path, String tag, String json)
      throws Exception {
    return EDGE.send(EDGE.json(method, path, json).header("if-match", tag));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          PATCH | /v1/pools/p     | {"maxInFlight": 7}       | {"maxInFlight": 9}    | /maxInFlight | 7
          PATCH | /v1/schedules/s | {"timeZone": "UTC", "every": "70s"} | {"every": "80s"} | /every | 70s
          PUT   | /v1/schedules/s | {"every": "70s", "target": {"handler": "h"}} | {"every": "80s", "target": {"handler": "other"}} | /every | 70s
          PATCH | /v1/handlers/7  | {"maxUnfinished": "7"} | {"maxUnfinished": "9"} | /maxUnfinished | 7
          PATCH | /v1/handlers/7/queues/50 | {"maxRunning": 7} | {"maxRunning": 9} | /maxRunning | 7
          PUT   | /v1/calendars/c | {"rules": "week SAT 10:00-11:00"} | {"rules": ""} | /generation | 2
          """)
  void a_change_by_an_older_tag_is_refused_with_what_to_do_and_nothing_is_done(
      String method, String path, String first, String second, String pointer, String value)
      throws Exception {
    String old = tag(EDGE.get(path));
    done(change(method, path, old, first));
    String before = EDGE.get(path).body();
    EDGE.tasks.queues.made.clear();

    HttpResponse<String> refused = change(method, path, old, second);

    assertThat(refused.statusCode()).isEqualTo(412);
    JsonNode problem = JSON.readTree(refused.body());
    assertThat(problem.at("/type").asText()).isEqualTo("urn:problem-type:kairos:stale-etag");
    assertThat(problem.at("/code").asText()).isEqualTo("ABORTED");
    assertThat(problem.at("/detail").asText())
        .contains("has been changed since you read it", "nothing was done", "read it again");
    HttpResponse<String> now = EDGE.get(path);
    assertThat(now.body()).isEqualTo(before);
    assertThat(JSON.readTree(now.body()).at(pointer).asText()).isEqualTo(value);
    assertThat("\"" + problem.at("/etag").asText() + "\"").isEqualTo(tag(now)).isNotEqualTo(old);
    assertThat(EDGE.tasks.queues.made).isEmpty();
    done(change(method, path, tag(now), second));
  }

  @Test
  void a_change_that_came_between_the_check_and_the_store_is_refused_alike() throws Exception {
    String schedule = tag(EDGE.get(SCHEDULE));
    String calendar = tag(EDGE.get(CALENDAR));
    ScheduleName name = new ScheduleName("s");
    CalendarName days = new CalendarName("c");

    EDGE.schedules.beforeChange(() ->
        EDGE.schedules.update(name, null, EDGE.schedules.find(name).orElseThrow().definition()));
    HttpResponse<String> first = change("PATCH", SCHEDULE, schedule, "{\"every\": \"80s\"}");
    EDGE.schedules.beforeChange(
        () -> EDGE.schedules.putCalendar(days, WorkingCalendar.workdaysWithout(Set.of()), null));
    HttpResponse<String> second = change("PUT", CALENDAR, calendar, "{\"rules\": \"\"}");

    assertThat(first.statusCode()).as(first.body()).isEqualTo(412);
    assertThat("\"" + JSON.readTree(first.body()).at("/etag").asText() + "\"")
        .isEqualTo(tag(EDGE.get(SCHEDULE)));
    assertThat(second.statusCode()).as(second.body()).isEqualTo(412);
    assertThat("\"" + JSON.readTree(second.body()).at("/etag").asText() + "\"")
        .isEqualTo(tag(EDGE.get(CALENDAR)));
  }

  @Test
  void a_put_of_a_schedule_answers_it_with_its_new_tag() throws Exception {
    HttpResponse<String> put =
        EDGE.put(SCHEDULE, "{\"every\": \"90s\", \"target\": {\"handler\": \"made\"}}");

    assertThat(done(put).at("/every").asText()).isEqualTo("90s");
    assertThat(put.headers().firstValue("etag")).hasValue(tag(EDGE.get(SCHEDULE)));
  }

  @ParameterizedTest
  @CsvSource({"PUT,/v1/schedules/s", "PUT,/v1/calendars/new", "PATCH,/v1/pools/p"})
  void a_condition_that_no_change_heeds_is_refused(String method, String path) throws Exception {
    HttpResponse<String> refused =
        EDGE.send(EDGE.json(method, path, "{}").header("if-none-match", "*"));

    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body()).contains("if-none-match: is not heeded by changes");
    assertThat(EDGE.get("/v1/calendars/new").statusCode()).isEqualTo(404);
    assertThat(EDGE.send(HttpRequest.newBuilder(EDGE.uri(SCHEDULE)).header("if-none-match", "*")))
        .extracting(HttpResponse::statusCode)
        .isEqualTo(200);
  }

  @Test
  void what_was_read_can_be_sent_back_once_by_the_tag_in_the_body() throws Exception {
    String shown = EDGE.get(SCHEDULE).body().replace("60s", "90s");

    done(EDGE.put(SCHEDULE, shown));

    assertThat(EDGE.put(SCHEDULE, shown).statusCode()).isEqualTo(412);
    assertThat(EDGE.patch(SCHEDULE, shown).statusCode()).isEqualTo(412);
  }

  @Test
  void a_pause_or_a_registration_is_no_change_of_what_is_edited() throws Exception {
    String schedule = tag(EDGE.get(SCHEDULE));
    String pool = tag(EDGE.get(POOL));
    done(EDGE.post(SCHEDULE + ":pause", "{}"));
    done(EDGE.post(POOL + "/endpoints", "{\"url\": \"http://127.0.0.1:9000\"}"));

    assertThat(tag(EDGE.get(SCHEDULE))).isEqualTo(schedule);
    assertThat(tag(EDGE.get(POOL))).isEqualTo(pool);
  }

  @Test
  void a_tag_of_something_that_is_not_there_makes_nothing() throws Exception {
    String tag = tag(EDGE.get(SCHEDULE));
    String calendar = tag(EDGE.get(CALENDAR));
    done(EDGE.delete(SCHEDULE));
    done(EDGE.delete(CALENDAR));

    HttpResponse<String> schedule =
        change("PUT", SCHEDULE, tag, "{\"every\": \"60s\", \"target\": {\"handler\": \"h\"}}");

    assertThat(schedule.statusCode()).isEqualTo(412);
    assertThat(schedule.body()).contains("the schedule s is not there");
    assertThat(change("PUT", CALENDAR, calendar, "{}").statusCode()).isEqualTo(412);
    assertThat(EDGE.get(SCHEDULE).statusCode()).isEqualTo(404);
    assertThat(EDGE.tasks.queues.made).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"*", "\"a\", \"b\"", "W/\"a\"", "\"\""})
  void if_match_is_one_strong_tag(String tag) throws Exception {
    HttpResponse<String> refused = change("PATCH", POOL, tag, "{\"maxInFlight\": 9}");

    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body()).contains("if-match: must be the one entity tag");
    assertThat(change("POST", "/v1/tasks", "\"a\"", "{}").body())
        .contains("if-match: is not for this call");
  }

  @Test
  void limits_and_settings_of_a_handler_have_tags_of_their_own() {
    HandlerServiceBlockingStub grpc = HandlerServiceGrpc.newBlockingStub(EDGE.channel);
    Handler before = grpc.getHandler(GetHandlerRequest.newBuilder().setName("7").build());
    Queue limited =
        grpc.updateQueue(
            UpdateQueueRequest.newBuilder()
                .setQueue(Queue.newBuilder().setHandler("7").setMaxRunning(3))
                .build());
    Handler changed =
        grpc.updateHandler(
            UpdateHandlerRequest.newBuilder()
                .setHandler(
                    Handler.newBuilder().setName("7").setMaxUnfinished(9).setEtag(before.getEtag()))
                .build());
    EDGE.tasks.queues.made.clear();

    assertThat(changed.getEtag()).isNotEqualTo(before.getEtag());
    assertThatThrownBy(() ->
            grpc.updateHandler(
                UpdateHandlerRequest.newBuilder()
                    .setHandler(
                        Handler.newBuilder()
                            .setName("7")
                            .setMaxUnfinished(1)
                            .setEtag(before.getEtag()))
                    .build()))
        .hasMessageContaining("ABORTED: etag: the handler 7 has been changed");
    Queue.Builder next = Queue.newBuilder().setHandler("7").setMaxRunning(4);
    grpc.updateQueue(
        UpdateQueueRequest.newBuilder().setQueue(next.setEtag(limited.getEtag())).build());
    EDGE.tasks.queues.made.clear();
    assertThatThrownBy(
            () -> grpc.updateQueue(UpdateQueueRequest.newBuilder().setQueue(next).build()))
        .hasMessageContaining("ABORTED: etag: the queue 7@50 has been changed");
    assertThat(EDGE.tasks.queues.made).isEmpty();
  }
}
