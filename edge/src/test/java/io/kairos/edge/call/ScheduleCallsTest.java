package io.kairos.edge.call;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kairos.domain.schedule.definition.OverlapPolicy;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.schedule.fire.FireCause;
import io.kairos.domain.schedule.fire.FireDecision;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.schedule.fire.SkipCause;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.time.EpochMicros;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.assertj.core.api.AbstractStringAssert;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Calls about schedules, as REST; the doors are alike. The clock stands at 2030-01-01, a Tuesday.
 */
class ScheduleCallsTest {
  @RegisterExtension static final Edge EDGE = new Edge();
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String NIGHTLY =
      """
      {"schedule": {"name": "nightly", "cron": {"expression": "0 3 * * *"}, "timeZone": "Europe/Berlin",
       "target": {"handler": "report", "text": "all"}}}\
      """;

  private static JsonNode done(HttpResponse<String> answer) throws Exception {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return JSON.readTree(answer.body());
  }

  private static JsonNode create(String json) throws Exception {
    return done(creating(json));
  }

  /** The schedule of a request as the body, and what else the request has as parameters. */
  private static HttpResponse<String> creating(String request) throws Exception {
    return sent("POST", "/v1/schedules", "schedule", request);
  }

  private static HttpResponse<String> patch(String request) throws Exception {
    String name = JSON.readTree(request).at("/schedule/name").asText();
    return sent("PATCH", "/v1/schedules/" + name, "schedule", request);
  }

  private static HttpResponse<String> putCalendar(String request) throws Exception {
    String name = JSON.readTree(request).at("/calendar/name").asText();
    return sent("PUT", "/v1/calendars/" + name, "calendar", request);
  }

  private static HttpResponse<String> sent(String method, String path, String body, String request)
      throws Exception {
    ObjectNode whole = (ObjectNode) JSON.readTree(request);
    String json = whole.remove(body).toString();
    String query =
        whole.properties().stream()
            .map(one -> one.getKey() + "=" + one.getValue().asText())
            .collect(Collectors.joining("&"));
    return EDGE.send(EDGE.json(method, path + (query.isEmpty() ? "" : "?" + query), json));
  }

  private static JsonNode refused(int status, HttpResponse<String> answer) throws Exception {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    return JSON.readTree(answer.body());
  }

  private static AbstractStringAssert<?> assertMember(JsonNode answer, String pointer) {
    return assertThat(answer.at(pointer).asText());
  }

  /** A preview of these fields of a schedule. */
  private static HttpResponse<String> preview(String fields) throws Exception {
    return EDGE.post("/v1/schedules:preview", "{\"schedule\": {" + fields + "}, \"count\": 3}");
  }

  @Test // PH-5
  void ph09_a_schedule_is_created_with_nothing_left_out_and_shown_with_its_next_fires()
      throws Exception {
    JsonNode created = create(NIGHTLY);

    assertThat(created.at("/state").asText()).isEqualTo("ACTIVE");
    assertThat(created.at("/generation").asText()).isEqualTo("1");
    assertThat(created.at("/policies/overlap").asText()).isEqualTo("SKIP");
    assertThat(created.at("/policies/catchUp/mode").asText()).isEqualTo("LATEST");
    assertThat(created.at("/policies/catchUp/window").asText()).isEqualTo("86400s");
    assertThat(created.at("/target/handler").asText()).isEqualTo("report");
    assertThat(created.at("/target/payload").asText()).isEqualTo("YWxs");
    assertThat(created.at("/nextFireTime").asText()).isEqualTo("2030-01-01T02:00:00Z");

    JsonNode shown = done(EDGE.get("/v1/schedules/nightly"));
    assertThat(shown.at("/nextFires")).hasSize(10);
    assertThat(shown.at("/nextFires/0/localTime").asText())
        .isEqualTo("2030-01-01T03:00+01:00[Europe/Berlin]");
    assertThat(shown.at("/description").asText()).contains("Europe/Berlin");
    assertThat(shown.at("/lastFires")).isEmpty();
  }

  @Test
  void a_name_is_taken_once_and_an_unknown_one_is_answered_with_the_nearest() throws Exception {
    create(NIGHTLY);

    assertThat(refused(409, creating(NIGHTLY)).at("/code").asText()).isEqualTo("ALREADY_EXISTS");
    assertThat(refused(404, EDGE.get("/v1/schedules/nigthly")).at("/detail").asText())
        .isEqualTo("name: there is no schedule nigthly; did you mean nightly?");
    assertThat(refused(404, EDGE.get("/v1/schedules/x%2Fy")).at("/detail").asText())
        .isEqualTo("name: there is no schedule x/y");
  }

  @Test
  void a_schedule_that_is_refused_makes_no_queue() throws Exception {
    create(NIGHTLY);
    String other = NIGHTLY.replace("report", "other");
    String never =
        other.replace("\"timeZone\"", "\"endAt\": \"2001-01-01T00:00:00Z\", \"timeZone\"");

    refused(409, creating(other));
    refused(400, creating(never.replace("nightly", "never")));
    refused(400, patch(never));
    refused(412, patch(other.replace("{\"name\"", "{\"etag\": \"7\", \"name\"")));

    assertThat(EDGE.tasks.queues.made)
        .containsOnlyKeys(new QueueName(new HandlerName("report"), QueueName.DEFAULT));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          75 * * * *          | minute       | 75   | 0 | 0 to 59
          0 9 * * MON-FRY     | day of week  | FRY  | 12 |
          0 9 32 * *          | day of month | 32   | 4 | 1 to 31
          * * * *             | expression   |      | 7 | 5, 6 or 7 fields
          @fortnightly        | expression   | @fortnightly | 0 | @hourly
          CRON_TZ=UTC 61 * * * * | minute    | 61   | 12 | 0 to 59
          """)
  void ph06_a_refused_expression_names_part_value_place_and_range(
      String expression, String part, String value, int position, String allowed) throws Exception {
    JsonNode problem = refused(400, preview("\"cron\": {\"expression\": \"" + expression + "\"}"));

    assertThat(problem.at("/field").asText()).isEqualTo("schedule.cron.expression");
    assertThat(problem.at("/part").asText()).isEqualTo(part);
    assertThat(problem.at("/position").asText()).isEqualTo(Integer.toString(position));
    assertThat(problem.at("/allowed").asText()).contains(allowed == null ? "" : allowed);
    assertThat(problem.at("/expression").asText()).isEqualTo(expression);
    if (value != null) {
      assertThat(problem.at("/value").asText()).contains(value);
    }
  }

  @Test
  void an_unknown_zone_in_front_of_an_expression_is_pointed_at() throws Exception {
    JsonNode problem =
        refused(400, preview("\"cron\": {\"expression\": \"CRON_TZ=Europe/Brelin 0 9 * * *\"}"));

    assertThat(problem.at("/field").asText()).isEqualTo("schedule.cron.expression");
    assertThat(problem.at("/position").asText()).isEqualTo("8");
    assertThat(problem.at("/nearest").asText()).isEqualTo("Europe/Berlin");
  }

  @Test
  void ph06_an_expression_that_never_matches_is_refused_with_the_reason() throws Exception {
    JsonNode problem = refused(400, preview("\"cron\": {\"expression\": \"0 0 31 FEB *\"}"));

    assertThat(problem.at("/field").asText()).isEqualTo("schedule.cron.expression");
    assertThat(problem.at("/detail").asText()).contains("31");
    assertMember(
            refused(
                400,
                creating(
                    NIGHTLY.replace(
                        "\"timeZone\"", "\"endAt\": \"2029-01-01T00:00:00Z\", \"timeZone\""))),
            "/detail")
        .contains("would never fire");
    assertThat(done(EDGE.get("/v1/schedules")).at("/schedules")).isEmpty();
  }

  @Test
  void an_unknown_zone_or_calendar_is_answered_with_the_nearest() throws Exception {
    done(putCalendar("{\"calendar\": {\"name\": \"holidays-de\", \"rules\": \"\"}}"));

    assertMember(
            refused(
                400,
                preview("\"cron\": {\"expression\": \"@daily\"}, \"timeZone\": \"europe/berln\"")),
            "/detail")
        .isEqualTo(
            "schedule.time_zone: \"europe/berln\" is no zone of the IANA database; did you mean"
                + " Europe/Berlin?");
    assertMember(
            refused(
                400,
                preview(
                    "\"cron\": {\"expression\": \"@daily\"}, \"calendars\": [{\"name\":"
                        + " \"holiday-de\"}]")),
            "/detail")
        .isEqualTo(
            "schedule.calendars: there is no calendar holiday-de; did you mean holidays-de?");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          "every": "0.5s"                                     | schedule.every
          "every": "-1s"                                      | schedule.every
          "delayAfter": "999999999s"                          | schedule.delay_after
          "at": "2030-06-01T00:00:00.5Z"                      | schedule.at
          "cron": {"expression": "@daily"}, "spread": "90000s" | schedule.spread
          "cron": {"expression": "@daily"}, "maxRuns": 0      | schedule.max_runs
          "timeZone": "UTC"                                   | schedule.cron
          """)
  void every_field_of_a_rule_has_its_range(String fields, String field) throws Exception {
    assertThat(refused(400, preview(fields)).at("/field").asText()).isEqualTo(field);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          "target": {"handler": "a b"}                        | schedule.target.handler
          "target": {"handler": "pool:x"}                     | schedule.target.handler
          "target": {"handler": "a", "priority": 101}         | schedule.target.priority
          "target": {"text": "x"}                                       | schedule.target.handler
          "target": {"handler": "a", "text": "x", "payload": "eQ=="} | schedule.target.text
          "target": {"topic": {"name": "b c"}}                          | schedule.target.topic.name
          "target": {"topic": {"name": "nowhere"}}                      | schedule.target.topic.name
          "target": {"topic": {"name": "nowhere"}, "key": "k"}          | schedule.target.key
          "target": {"pool": {"name": "a b"}}                           | schedule.target.pool.name
          "target": {"pool": {"name": "p", "method": "TRACE"}}          | schedule.target.pool.method
          "target": {"pool": {"name": "p", "path": "x"}}                | schedule.target.pool.path
          "target": {"pool": {"name": "p", "headers": [{"name": "host", "value": "x"}]}} | schedule.target.pool.headers[0]
          "target": {"handler": "a"}, "policies": {"catchUp": {"max": 1001}} | schedule.policies.catch_up.max
          "target": {"handler": "a"}, "policies": {"retryPolicy": {"factor": 0.5}} | schedule.policies.retry_policy
          "target": {"handler": "a"}, "policies": {"startDeadline": "0s"} | schedule.policies.start_deadline
          "target": {"handler": "a", "key": "k"}, "policies": {"overlap": "BUFFER_ONE"} | schedule.policies.overlap
          "target": {"handler": "a"}, "steps": [{"target": {"handler": "b"}}] | schedule.steps[0].after
          "target": {"handler": "a"}, "steps": [{"target": {"handler": "b c"}, "after": [{"index": 0}]}] | schedule.steps[0].target.handler
          "target": {"handler": "a"}, "steps": [{"target": {"topic": {"name": "b"}}, "after": [{"index": 0}]}] | schedule.steps[0].target.handler
          "target": {"handler": "a"}, "steps": [{"target": {"handler": "b"}, "retryPolicy": {"factor": 0.5}, "after": [{"index": 0}]}] | schedule.steps[0].retry_policy
          "target": {"handler": "a"}, "steps": [{"target": {"handler": "b"}, "after": [{"id": "x"}]}] | schedule.steps[0].after[0].index
          "target": {"handler": "a"}, "steps": [{"target": {"handler": "b"}, "after": [{"index": 0, "batch": "x"}]}] | schedule.steps[0].after[0].index
          "target": {"handler": "a"}, "steps": [{"target": {"handler": "b"}, "after": [{"index": 0}, {"index": 2}]}] | schedule.steps[0].after[1].index
          "target": {"handler": "a"}, "steps": [{"target": {"handler": "b"}, "after": [{"index": 0}, {"index": 0}]}] | schedule.steps[0].after[1].index
          "target": {"handler": "a"}, "steps": [{"target": {"handler": "b"}, "after": [{"index": 1}]}] | schedule.steps[0].after[0].index
          "target": {"handler": "a"}, "steps": [{"target": {"handler": "b"}, "after": [{"index": 2}]}, {"target": {"handler": "b"}, "after": [{"index": 1}]}] | schedule.steps[1].after[0].index
          """)
  void a_target_and_policies_are_checked_as_the_task_that_they_make(String fields, String field)
      throws Exception {
    JsonNode problem =
        refused(
            400,
            creating(
                "{\"schedule\": {\"name\": \"x\", \"cron\": {\"expression\": \"@daily\"}, "
                    + fields
                    + "}}"));

    assertThat(problem.at("/field").asText()).isEqualTo(field);
    assertThat(done(EDGE.get("/v1/schedules")).at("/schedules")).isEmpty();
  }

  @Test
  void a_preview_says_what_is_left_out_and_why() throws Exception {
    JsonNode spring =
        done(
            EDGE.post(
                "/v1/schedules:preview",
                """
                {"schedule": {"cron": {"expression": "30 2 * * *"}, "timeZone": "Europe/Berlin", "dst": {"gap": "SKIP"}},
                 "after": "2030-03-30T12:00:00Z", "count": 2}\
                """));

    assertThat(spring.at("/fires/0/skipped").asText()).isEqualTo("DST_GAP");
    assertThat(spring.at("/fires/0/localTime").asText()).startsWith("2030-03-31T02:30");
    assertThat(spring.at("/fires/1/fireTime").asText()).isEqualTo("2030-04-01T00:30:00Z");
    assertThat(spring.at("/description").asText()).isNotEmpty();
    JsonNode moved =
        done(
            EDGE.post(
                "/v1/schedules:preview",
                """
                {"schedule": {"cron": {"expression": "30 2 * * *"}, "timeZone": "Europe/Berlin"},
                 "after": "2030-03-30T12:00:00Z", "count": 2}\
                """));
    assertThat(moved.at("/fires/0/localTime").asText()).startsWith("2030-03-31T03:00");
    assertThat(moved.at("/fires/0/movedFrom").asText()).isEqualTo("2030-03-31T02:30");
    assertThat(moved.at("/fires/1/movedFrom").asText()).isEmpty();
  }

  @Test
  void a_calendar_leaves_fire_times_out_and_its_bad_lines_are_named() throws Exception {
    done(
        putCalendar(
            """
            {"calendar": {"name": "work", "rules": "week MON-FRI 08:00-18:00 # usual\\n\\nclosed 2030-01-02\\nyearly 12-25"}}\
            """));

    JsonNode fires =
        done(preview(
                "\"cron\": {\"expression\": \"0 9 * * *\"}, \"calendars\": [{\"name\": \"work\"}]"))
            .at("/fires");
    assertThat(fires.at("/0/fireTime").asText()).isEqualTo("2030-01-01T09:00:00Z");
    assertThat(fires.at("/1/skipped").asText()).isEqualTo("CALENDAR");
    JsonNode problem =
        refused(
            400,
            putCalendar("{\"calendar\": {\"name\": \"work\", \"rules\": \"\\nweek FUNDAY\"}}"));
    assertThat(problem.at("/field").asText()).isEqualTo("calendar.rules");
    assertThat(problem.at("/line").asText()).isEqualTo("2");
    assertThat(done(EDGE.get("/v1/calendars/work")).at("/rules").asText())
        .startsWith("week MONDAY 08:00-18:00")
        .contains("yearly --12-25");
    assertThat(done(EDGE.get("/v1/calendars")).at("/calendars")).hasSize(1);
  }

  @Test
  void apply_creates_changes_what_differs_and_says_so() throws Exception {
    JsonNode first = done(EDGE.post("/v1/schedules:apply", NIGHTLY));
    JsonNode again = done(EDGE.post("/v1/schedules:apply", NIGHTLY));
    String other =
        NIGHTLY.replace("0 3", "0 4").replace("\"all\"", "\"some\"").replace("Berlin", "Paris");
    JsonNode dry = done(EDGE.post("/v1/schedules:apply", dryRun(other)));

    assertThat(first.at("/outcome").asText()).isEqualTo("CREATED");
    assertThat(again.at("/outcome").asText()).isEqualTo("UNCHANGED");
    assertThat(dry.at("/outcome").asText()).isEqualTo("CHANGED");
    assertThat(dry.at("/changes").toString())
        .contains("\"field\":\"cron.expression\",\"before\":\"\\\"0 3 * * *\\\"\"")
        .contains("\"field\":\"time_zone\"")
        .contains("\"field\":\"target.payload\",\"before\":\"3 bytes\",\"after\":\"4 bytes\"");
    assertThat(dry.at("/schedule/nextFires/0/fireTime").asText()).isEqualTo("2030-01-01T03:00:00Z");
    assertThat(done(EDGE.get("/v1/schedules/nightly")).at("/generation").asText()).isEqualTo("1");
    assertThat(done(EDGE.post("/v1/schedules:apply", other)).at("/schedule/generation").asText())
        .isEqualTo("2");
  }

  private static String dryRun(String request) {
    return request.substring(0, request.lastIndexOf('}')) + ", \"dryRun\": true}";
  }

  @Test
  void what_is_shown_can_be_applied_again() throws Exception {
    create(
        """
        {"schedule": {"name": "whole", "cron": {"expression": "0 3 * * 2", "dialect": "QUARTZ", "dayMatch": "BOTH"},
         "timeZone": "Asia/Tokyo", "dst": {"gap": "SKIP", "overlap": "BOTH"}, "startAt": "2030-02-01T00:00:00Z",
         "endAt": "2031-02-01T00:00:00Z", "maxRuns": "7", "spread": "1.5s", "decider": "REPLICATED",
         "target": {"handler": "h", "priority": 7, "collection": "c", "fairnessKey": "f", "fairnessWeight": 2, "payload": "AAE="},
         "policies": {"overlap": "BUFFER_ALL", "catchUp": {"mode": "ALL", "window": "7200s", "max": 9},
          "retryPolicy": {"maxAttempts": 3}, "startDeadline": "60s", "executionTimeout": "30s", "pauseOnFailure": true}}}\
        """);
    String shown = EDGE.get("/v1/schedules/whole").body();

    JsonNode again = done(EDGE.post("/v1/schedules:apply", "{\"schedule\": " + shown + "}"));

    assertThat(again.at("/outcome").asText()).as(again.toString()).isEqualTo("UNCHANGED");
  }

  @Test
  void steps_are_shown_as_they_were_given_compared_and_changed_as_a_whole() throws Exception {
    EDGE.pools.known.add(new PoolName("p"));
    create(
        """
        {"schedule": {"name": "graph", "every": "60s", "target": {"handler": "load"},
         "steps": [{"target": {"handler": "check", "text": "all", "priority": 70, "fairnessKey": "f"}, "after": [{"index": 0}],
           "retryPolicy": {"maxAttempts": 3}, "executionTimeout": "30s"},
          {"target": {"pool": {"name": "p", "path": "/x"}, "text": "body"}, "after": [{"index": 1, "onFailure": "CONTINUE"}, {"index": 0}]}]}}\
        """);

    String shown = EDGE.get("/v1/schedules/graph").body();
    JsonNode steps = JSON.readTree(shown).at("/steps");
    assertThat(steps).hasSize(2);
    assertThat(steps.at("/0/target/payload").asText()).isEqualTo("YWxs");
    assertThat(steps.at("/0/after/0/index").asInt(-1)).isZero();
    assertThat(steps.at("/0/after/0/onFailure").asText()).isEqualTo("FAIL");
    assertThat(steps.at("/1/target/pool/path").asText()).isEqualTo("/x");
    assertThat(
            done(EDGE.post("/v1/schedules:apply", "{\"schedule\": " + shown + "}"))
                .at("/outcome")
                .asText())
        .isEqualTo("UNCHANGED");
    JsonNode changed =
        done(
            EDGE.post(
                "/v1/schedules:apply",
                "{\"schedule\": "
                    + shown.replace("\"onFailure\":\"CONTINUE\"", "\"onFailure\":\"BLOCK\"")
                    + "}"));
    assertThat(changed.at("/changes/0/field").asText()).isEqualTo("steps");
    JsonNode listed = done(EDGE.get("/v1/schedules?prefix=graph")).at("/schedules/0/steps");
    assertThat(listed).hasSize(2);
    assertThat(listed.toString()).doesNotContain("YWxs", "Ym9keQ");
    assertThat(done(EDGE.post("/v1/schedules/graph:pause", "{}")).toString())
        .doesNotContain("YWxs", "Ym9keQ");
    JsonNode without =
        done(patch("{\"schedule\": {\"name\": \"graph\"}, \"updateMask\": \"steps\"}"));
    assertThat(without.at("/steps")).isEmpty();
    assertThat(without.at("/target/handler").asText()).isEqualTo("load");
  }

  @Test
  void a_pool_is_shown_as_it_was_given_and_who_may_not_read_sees_no_payload() throws Exception {
    EDGE.pools.known.add(new PoolName("p"));
    create(
        """
        {"schedule": {"name": "push", "every": "60s", "target": {"pool": {"name": "p", "path": "/x?y=1",
         "routingKey": "customer 7",
         "headers": [{"name": "authorization", "value": "Bearer b"}]}, "text": "body", "key": "k"}}}\
        """);

    JsonNode shown = done(EDGE.get("/v1/schedules/push"));
    assertThat(shown.at("/target/pool/method").asText()).isEqualTo("POST");
    assertThat(shown.at("/target/pool/path").asText()).isEqualTo("/x?y=1");
    assertThat(shown.at("/target/pool/headers/0/value").asText()).isEqualTo("Bearer b");
    assertThat(shown.at("/target/payload").asText()).isEqualTo("Ym9keQ==");
    assertThat(shown.at("/target/key").asText()).isEqualTo("k");
    assertThat(shown.at("/target/pool/routingKey").asText()).isEqualTo("customer 7");
    JsonNode listed = done(EDGE.get("/v1/schedules?prefix=push")).at("/schedules/0/target");
    assertThat(listed.at("/pool")).isEqualTo(shown.at("/target/pool"));
    assertThat(listed.at("/payload").asText()).isEmpty();
    JsonNode paused = done(EDGE.post("/v1/schedules/push:pause", "{}"));
    assertThat(paused.at("/target/pool/name").asText()).isEqualTo("p");
    assertThat(paused.toString()).doesNotContain("Bearer", "Ym9keQ", "customer 7");
  }

  @Test
  void a_pool_that_there_is_not_is_refused_and_nothing_stored() throws Exception {
    assertMember(
            refused(
                404,
                creating(
                    """
                    {"schedule": {"name": "push", "every": "60s", "target": {"pool": {"name": "p"}}}}\
                    """)),
            "/detail")
        .isEqualTo("schedule.target.pool.name: there is no pool p");
    refused(404, EDGE.get("/v1/schedules/push"));
  }

  @Test
  void the_next_fire_time_is_the_rules_also_when_it_is_looked_at_another_time() throws Exception {
    create(NIGHTLY);
    EDGE.schedules.lookAt(new ScheduleName("nightly"), Edge.NOW.plusSeconds(30));

    assertThat(done(EDGE.get("/v1/schedules/nightly")).at("/nextFireTime").asText())
        .isEqualTo("2030-01-01T02:00:00Z");
    assertThat(done(EDGE.get("/v1/schedules/nightly/explanation")).at("/explanation").asText())
        .contains("fires next at 2030-01-01T02:00:00Z");
  }

  @Test
  void a_dry_run_refuses_what_a_calendar_leaves_out_entirely() throws Exception {
    String working =
        NIGHTLY.replace("\"timeZone\"", "\"calendars\": [{\"name\": \"new\"}], \"timeZone\"");
    String assuming =
        working.substring(0, working.lastIndexOf('}'))
            + ", \"dryRun\": true, \"calendars\": [{\"name\": \"new\", \"rules\": \"open"
            + " 2020-01-01\"}]}";

    assertThat(refused(400, EDGE.post("/v1/schedules:apply", assuming)).at("/field").asText())
        .isEqualTo("schedule");
  }

  @Test
  void ph19_a_schedule_that_cannot_be_read_any_more_is_shown_and_stops_no_list() throws Exception {
    create(NIGHTLY);
    EDGE.schedules.loseZone(new ScheduleName("nightly"));

    assertThat(done(EDGE.get("/v1/schedules")).at("/schedules/0/description").asText())
        .contains("cannot be read");
    assertThat(done(EDGE.get("/v1/schedules/nightly")).at("/nextFires")).isEmpty();
    assertThat(done(EDGE.get("/v1/schedules/nightly/explanation")).at("/explanation").asText())
        .contains("cannot be read");
    assertMember(
            done(patch("{\"schedule\": {\"name\": \"nightly\", \"timeZone\": \"UTC\"}}")),
            "/description")
        .doesNotContain("cannot be read");
  }

  @Test
  void schedules_are_listed_by_name_and_by_pages() throws Exception {
    for (int i = 100; i < 220; i++) {
      create(NIGHTLY.replace("nightly", "s-" + i));
    }
    create(NIGHTLY);

    JsonNode first = done(EDGE.get("/v1/schedules?prefix=s-&pageSize=70"));
    JsonNode second =
        done(
            EDGE.get(
                "/v1/schedules?prefix=s-&pageSize=70&pageToken="
                    + first.at("/nextPageToken").asText()));

    assertThat(first.at("/schedules")).hasSize(70);
    assertThat(first.at("/nextPageToken").asText()).isEqualTo("s-169");
    assertThat(first.at("/schedules/0/target/handler").asText()).isEqualTo("report");
    assertThat(first.at("/schedules/0/target/payload").asText()).isEmpty();
    assertThat(second.at("/schedules")).hasSize(50);
    assertThat(second.at("/schedules/0/name").asText()).isEqualTo("s-170");
    assertThat(second.at("/nextPageToken").asText()).isEmpty();
  }

  @Test
  void a_dry_run_takes_calendars_as_they_are_going_to_be() throws Exception {
    String working =
        NIGHTLY.replace("\"timeZone\"", "\"calendars\": [{\"name\": \"new\"}], \"timeZone\"");
    String assuming =
        working.substring(0, working.lastIndexOf('}'))
            + ", \"dryRun\": %s, \"calendars\": [{\"name\": \"new\", \"rules\": \"week %s\"}]}";

    assertMember(
            done(EDGE.post("/v1/schedules:apply", assuming.formatted("true", "SAT"))),
            "/schedule/nextFires/0/skipped")
        .isEqualTo("CALENDAR");
    assertMember(
            refused(400, EDGE.post("/v1/schedules:apply", assuming.formatted("true", "FUNDAY"))),
            "/field")
        .isEqualTo("calendars[0].rules");
    assertMember(
            refused(400, EDGE.post("/v1/schedules:apply", assuming.formatted("false", "SAT"))),
            "/field")
        .isEqualTo("calendars");
    done(putCalendar("{\"calendar\": {\"name\": \"new\", \"rules\": \"\"}, \"dryRun\": true}"));
    refused(404, EDGE.get("/v1/calendars/new"));
  }

  @Test
  void ph07_an_update_changes_what_it_names_and_is_checked_as_a_whole() throws Exception {
    create(NIGHTLY);

    JsonNode changed =
        done(
            patch(
                "{\"schedule\": {\"name\": \"nightly\", \"timeZone\": \"UTC\", \"target\":"
                    + " {\"priority\": 9}}}"));
    assertThat(changed.at("/timeZone").asText()).isEqualTo("UTC");
    assertThat(changed.at("/target/priority").asInt()).isEqualTo(9);
    assertThat(changed.at("/target/handler").asText()).isEqualTo("report");
    assertThat(changed.at("/cron/expression").asText()).isEqualTo("0 3 * * *");

    JsonNode other =
        done(
            patch(
                "{\"schedule\": {\"name\": \"nightly\", \"every\": \"60s\"}, \"updateMask\":"
                    + " \"every,timeZone\"}"));
    assertThat(other.at("/every").asText()).isEqualTo("60s");
    assertThat(other.has("cron")).isFalse();

    assertMember(
            refused(
                400,
                patch(
                    "{\"schedule\": {\"name\": \"nightly\"}, \"updateMask\":"
                        + " \"target.handler\"}")),
            "/field")
        .isEqualTo("schedule.target.handler");
    assertMember(
            refused(
                400, patch("{\"schedule\": {\"name\": \"nightly\"}, \"updateMask\": \"state\"}")),
            "/field")
        .isEqualTo("update_mask");
    assertMember(
            refused(
                412,
                patch(
                    "{\"schedule\": {\"name\": \"nightly\", \"timeZone\": \"UTC\","
                        + " \"etag\": \"1\"}}")),
            "/code")
        .isEqualTo("ABORTED");
    assertMember(
            refused(404, patch("{\"schedule\": {\"name\": \"nihgtly\", \"timeZone\": \"UTC\"}}")),
            "/detail")
        .contains("nightly?");
  }

  @Test
  void ph08_a_schedule_is_paused_with_a_note_resumed_and_deleted() throws Exception {
    create(NIGHTLY);

    JsonNode paused = done(EDGE.post("/v1/schedules/nightly:pause", "{\"note\": \"move\"}"));
    assertThat(paused.at("/state").asText()).isEqualTo("PAUSED");
    assertThat(paused.at("/note").asText()).isEqualTo("move");
    assertThat(paused.at("/nextFires")).isEmpty();
    assertThat(done(EDGE.get("/v1/schedules?states=ACTIVE")).at("/schedules")).isEmpty();
    assertThat(done(EDGE.get("/v1/schedules/nightly/explanation")).at("/explanation").asText())
        .isEqualTo("It is paused since 2030-01-01T00:00:00Z (move).");
    assertThat(done(EDGE.post("/v1/schedules/nightly:resume", "{}")).at("/state").asText())
        .isEqualTo("ACTIVE");
    done(EDGE.delete("/v1/schedules/nightly"));
    refused(404, EDGE.delete("/v1/schedules/nightly"));
    refused(404, EDGE.post("/v1/schedules/nightly:pause", "{}"));
  }

  @Test
  void a_trigger_fires_once_for_a_request_id() throws Exception {
    create(NIGHTLY);

    JsonNode first = done(EDGE.post("/v1/schedules/nightly:trigger", "{\"requestId\": \"r1\"}"));
    JsonNode again = done(EDGE.post("/v1/schedules/nightly:trigger", "{\"requestId\": \"r1\"}"));
    JsonNode without = done(EDGE.post("/v1/schedules/nightly:trigger", "{}"));

    assertThat(first.at("/duplicate").asBoolean()).isFalse();
    assertThat(again.at("/duplicate").asBoolean()).isTrue();
    assertThat(again.at("/fire/executionId")).isEqualTo(first.at("/fire/executionId"));
    assertThat(without.at("/duplicate").asBoolean()).isFalse();
    assertThat(without.at("/fire/cause").asText()).isEqualTo("TRIGGER");
  }

  @Test
  void a_backfill_names_a_range_in_the_past() throws Exception {
    create(NIGHTLY);
    String range =
        "{\"firstTime\": \"2029-12-01T02:00:00Z\", \"lastTime\": \"%s\", \"overlap\": \"ALLOW_ALL\"}";

    JsonNode done =
        done(EDGE.post("/v1/schedules/nightly:backfill", range.formatted("2029-12-02T00:00:00Z")));
    assertThat(done.at("/fired").asText()).isEqualTo("1");
    assertThat(done.at("/requestId").asText()).isNotEmpty();
    assertThat(EDGE.schedules.backfilledWith).isEqualTo(OverlapPolicy.ALLOW_ALL);
    assertMember(
            refused(
                400,
                EDGE.post(
                    "/v1/schedules/nightly:backfill", range.formatted("2030-12-02T00:00:00Z"))),
            "/field")
        .isEqualTo("last_time");
    assertMember(
            refused(
                400,
                EDGE.post(
                    "/v1/schedules/nightly:backfill", "{\"lastTime\": \"2029-12-02T00:00:00Z\"}")),
            "/field")
        .isEqualTo("first_time");
    create(
        NIGHTLY
            .replace("\"cron\": {\"expression\": \"0 3 * * *\"}", "\"delayAfter\": \"60s\"")
            .replace("nightly", "after"));
    assertMember(
            refused(
                400,
                EDGE.post("/v1/schedules/after:backfill", range.formatted("2029-12-02T00:00:00Z"))),
            "/code")
        .isEqualTo("FAILED_PRECONDITION");
  }

  private static void noted(String at, String until, SkipCause reason) {
    note(at, until, at.equals(until) ? 1L : null, "", reason, FireCause.SCHEDULE);
  }

  private static void note(
      String at,
      String until,
      @Nullable Long count,
      String request,
      SkipCause reason,
      FireCause cause) {
    Instant end = Instant.parse(until);
    EDGE.schedules.note(
        new ScheduleName("nightly"),
        new LedgerEntry(
            Instant.parse(at),
            request,
            end,
            count,
            FireDecision.SKIPPED,
            reason,
            cause,
            end,
            null,
            null));
  }

  private static String why(String at) throws Exception {
    return done(EDGE.get("/v1/schedules/nightly/explanation?at=" + at)).at("/explanation").asText();
  }

  @Test
  void it_is_said_why_a_schedule_has_not_run() throws Exception {
    create(NIGHTLY);
    noted("2030-01-05T02:00:00Z", "2030-01-05T02:00:00Z", SkipCause.OVERLAP);
    noted("2030-01-06T02:00:00Z", "2030-01-09T02:00:00Z", SkipCause.PAUSED);

    assertThat(why("2030-01-05T02:00:00Z"))
        .isEqualTo("It was skipped: a former run had not ended.");
    assertThat(why("2030-01-07T02:00:00Z"))
        .isEqualTo("It was skipped until 2030-01-09T02:00:00Z: the schedule was paused.");
    assertThat(why("2030-01-05T04:00:00Z")).isEqualTo("The rule names no fire time then.");
    assertThat(why("2029-12-31T02:00:00Z"))
        .isEqualTo("It was created at 2030-01-01T00:00:00Z and did not exist then.");
    assertThat(why("2030-02-01T02:00:00Z")).isEqualTo("It is still to come.");
    JsonNode near = done(EDGE.get("/v1/schedules/nightly/explanation?at=2030-01-05T04:00:00Z"));
    assertThat(near.at("/fireTimeBefore").asText()).isEqualTo("2030-01-05T02:00:00Z");
    assertThat(near.at("/fireTimeAfter").asText()).isEqualTo("2030-01-06T02:00:00Z");
  }

  @Test
  void the_line_about_a_fire_time_is_found_behind_many_requests() throws Exception {
    create(NIGHTLY);
    noted("2030-01-06T02:00:00Z", "2030-01-09T02:00:00Z", SkipCause.PAUSED);
    for (int i = 10; i < 50; i++) {
      asked("2030-01-07T01:00:" + i + "Z", "r-" + i);
    }
    asked("2030-01-06T02:00:00Z", "r-1");

    assertThat(why("2030-01-07T02:00:00Z")).contains("the schedule was paused");
    assertThat(why("2030-01-06T02:00:00Z")).contains("the schedule was paused");
  }

  private static void asked(String at, String request) {
    note(at, at, 1L, request, SkipCause.OVERLAP, FireCause.BACKFILL);
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, EpochMicros.MIN - 1, EpochMicros.MAX + 1, Long.MAX_VALUE})
  void a_page_token_with_a_time_that_no_fire_has_is_refused(long micros) throws Exception {
    create(NIGHTLY);

    assertMember(
            refused(400, EDGE.get("/v1/schedules/nightly/fires?pageToken=" + micros + ":")),
            "/field")
        .isEqualTo("page_token");
  }

  @Test
  void a_page_token_that_no_answer_has_given_is_refused() throws Exception {
    create(NIGHTLY);
    String token = "1:" + "r".repeat(129);

    assertMember(refused(400, EDGE.get("/v1/schedules/nightly/fires?pageToken=" + token)), "/field")
        .isEqualTo("page_token");
  }

  @Test
  void decisions_are_listed_by_pages_and_filters() throws Exception {
    create(NIGHTLY);
    for (int day = 1; day <= 5; day++) {
      String at = "2030-01-0" + day + "T02:00:00Z";
      noted(at, at, day % 2 == 0 ? SkipCause.OVERLAP : SkipCause.CAP);
    }

    JsonNode page = done(EDGE.get("/v1/schedules/nightly/fires?pageSize=2"));
    assertThat(page.at("/fires/0/fireTime").asText()).isEqualTo("2030-01-05T02:00:00Z");
    JsonNode next =
        done(
            EDGE.get(
                "/v1/schedules/nightly/fires?pageSize=2&pageToken="
                    + page.at("/nextPageToken").asText()));
    assertThat(next.at("/fires/0/fireTime").asText()).isEqualTo("2030-01-03T02:00:00Z");
    assertThat(
            done(EDGE.get(
                    "/v1/schedules/nightly/fires?reasons=OVERLAP&notBefore=2030-01-03T00:00:00Z"))
                .at("/fires"))
        .hasSize(1);
    assertThat(done(EDGE.get("/v1/schedules/nightly/fires?decisions=FIRED")).at("/fires"))
        .isEmpty();
    refused(400, EDGE.get("/v1/schedules/nightly/fires?pageToken=x"));
  }

  @Test
  void a_calendar_that_is_named_cannot_be_deleted() throws Exception {
    done(putCalendar("{\"calendar\": {\"name\": \"work\", \"rules\": \"week MON-FRI\"}}"));
    create(NIGHTLY.replace("\"timeZone\"", "\"calendars\": [{\"name\": \"work\"}], \"timeZone\""));

    assertMember(refused(400, EDGE.delete("/v1/calendars/work")), "/code")
        .isEqualTo("FAILED_PRECONDITION");
    refused(404, EDGE.get("/v1/calendars/wrok"));
    done(EDGE.delete("/v1/schedules/nightly"));
    done(EDGE.delete("/v1/calendars/work"));
  }

  private static final String REPLICATED =
      NIGHTLY.replace("\"timeZone\"", "\"decider\": \"REPLICATED\", \"timeZone\"");

  @Test
  void who_decides_a_schedule_is_part_of_it_and_can_be_changed() throws Exception {
    create(NIGHTLY);
    assertThat(done(EDGE.get("/v1/schedules/nightly")).at("/decider").asText()).isEqualTo("NODE");

    assertThat(done(EDGE.post("/v1/schedules:apply", dryRun(REPLICATED))).at("/changes").toString())
        .isEqualTo(
            "[{\"field\":\"decider\",\"before\":\"\\\"NODE\\\"\",\"after\":\"\\\"REPLICATED\\\"\"}]");
    assertMember(
            done(patch("{\"schedule\": {\"name\": \"nightly\", \"decider\": \"REPLICATED\"}}")),
            "/decider")
        .isEqualTo("REPLICATED");
    assertThat(done(EDGE.get("/v1/schedules/nightly/explanation")).at("/explanation").asText())
        .startsWith("It is active and fires next at")
        .endsWith(
            ". A replicated cron decides it, and all is decided up to 2030-01-01T00:00:00Z; while"
                + " no replica runs, it does not fire.");
    assertMember(
            done(patch("{\"schedule\": {\"name\": \"nightly\", \"decider\": \"NODE\"}}")),
            "/decider")
        .isEqualTo("NODE");
  }

  @Test
  void a_replicated_cron_finds_its_schedules_and_has_them_decided() throws Exception {
    create(REPLICATED);
    create(NIGHTLY.replace("nightly", "of-nodes"));

    assertThat(listed("REPLICATED")).containsExactly("nightly");
    assertThat(listed("NODE")).containsExactly("of-nodes");
    JsonNode answer =
        done(decideDue("\"nightly\", \"none\", \"of-nodes\"", "2029-12-31T23:59:59Z"));

    assertThat(answer.at("/schedules/0/name").asText()).isEqualTo("nightly");
    assertThat(answer.at("/schedules/0/decider").asText()).isEqualTo("REPLICATED");
    assertThat(answer.at("/schedules/0/nextFireTime").asText()).isEqualTo("2030-01-01T02:00:00Z");
    assertThat(answer.at("/schedules/1/name").asText()).isEqualTo("none");
    assertThat(answer.at("/schedules/1/decider").asText("")).isIn("", "null");
    assertThat(answer.at("/schedules/2/decider").asText()).isEqualTo("NODE");
    assertThat(EDGE.schedules.decidedTo).isEqualTo(Instant.parse("2029-12-31T23:59:59Z"));
  }

  private static List<String> listed(String decider) throws Exception {
    return done(EDGE.get("/v1/schedules?decider=" + decider))
        .at("/schedules")
        .valueStream()
        .map(one -> one.at("/name").asText())
        .toList();
  }

  private static HttpResponse<String> decideDue(String names, String upTo) throws Exception {
    return EDGE.post(
        "/v1/schedules:decideDue", "{\"names\": [" + names + "], \"upTo\": \"" + upTo + "\"}");
  }

  @Test
  void a_request_of_a_replicated_cron_is_checked() throws Exception {
    assertThat(refused(400, decideDue("", "2029-12-31T23:59:59Z")).at("/field").asText())
        .isEqualTo("names");
    assertMember(refused(400, decideDue("\"a\", \"b c\"", "2029-12-31T23:59:59Z")), "/field")
        .isEqualTo("names[1]");
    assertMember(
            refused(400, EDGE.post("/v1/schedules:decideDue", "{\"names\": [\"a\"]}")), "/field")
        .isEqualTo("up_to");
    refused(503, decideDue("\"a\"", "2030-01-01T00:00:01Z"));
  }
}
