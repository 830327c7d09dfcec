package io.kairos.edge.call;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.util.Timestamps;
import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.ListPlannedFiresResponse;
import io.kairos.api.v1.ListPlannedFiresResponse.Part;
import io.kairos.api.v1.ListPlannedFiresResponse.PlannedRun;
import io.kairos.api.v1.ScheduleServiceGrpc;
import io.kairos.domain.schedule.RuleBounds;
import io.kairos.domain.schedule.RunSpread;
import io.kairos.domain.schedule.definition.FirePolicies;
import io.kairos.domain.schedule.definition.ScheduleDefinition;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.schedule.definition.ScheduleRule;
import io.kairos.domain.schedule.definition.ScheduleTarget;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.QueueName;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Planned fire times of all schedules. The clock stands at 2030-01-01T00:00Z, a Tuesday, and all
 * fire times up to it have been decided.
 */
class PlannedFiresTest {
  @RegisterExtension static final Edge EDGE = new Edge();
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String MONTH =
      "{\"notBefore\": \"2030-01-01T00:00:00Z\", \"before\": \"2030-02-01T00:00:00Z\"}";

  /** Stores a schedule with these fields. */
  private static void create(String name, String fields) throws IOException {
    EDGE.call(
        ScheduleServiceGrpc.getCreateScheduleMethod(),
        "{\"schedule\": {\"name\": \"%s\", \"target\": {\"handler\": \"h\"}, %s}}"
            .formatted(name, fields),
        null);
  }

  private static String cron(String expression) {
    return "\"cron\": {\"expression\": \"" + expression + "\"}";
  }

  private static ListPlannedFiresResponse planned(String json) throws IOException {
    return EDGE.call(ScheduleServiceGrpc.getListPlannedFiresMethod(), json, null);
  }

  private static List<String> times(ListPlannedFiresResponse plan) {
    return plan.getFiresList().stream().map(one -> Timestamps.toString(one.getFireTime())).toList();
  }

  /** The parts that have fire times: begin, fire times and schedules. */
  private static List<String> parts(ListPlannedFiresResponse plan) {
    return plan.getPartsList().stream()
        .filter(one -> one.getFires() > 0)
        .map(one ->
            Timestamps.toString(one.getAt()) + " " + one.getFires() + " " + one.getSchedules())
        .toList();
  }

  private static long total(ListPlannedFiresResponse plan) {
    return plan.getPartsList().stream().mapToLong(Part::getFires).sum();
  }

  @Test
  void fire_times_of_several_schedules_pile_up_in_a_part() throws Exception {
    create("b", cron("0 3 * * *"));
    create("a", cron("0 3 * * *"));
    create("often", cron("0,10 3 * * *"));

    ListPlannedFiresResponse plan = planned("{}");

    assertThat(plan.getFiresList())
        .extracting(PlannedRun::getSchedule)
        .containsExactly("a", "b", "often", "often");
    assertThat(times(plan))
        .containsExactly(
            "2030-01-01T03:00:00Z",
            "2030-01-01T03:00:00Z",
            "2030-01-01T03:00:00Z",
            "2030-01-01T03:10:00Z");
    assertThat(plan.getPartsList()).hasSize(48);
    assertThat(plan.getParts(0).getAt()).isEqualTo(ProtoTime.of(Edge.NOW));
    assertThat(parts(plan)).containsExactly("2030-01-01T03:00:00Z 4 3");
    assertThat(plan.getIncomplete()).isFalse();
  }

  @Test
  void a_count_bounds_the_list_alone_and_a_prefix_chooses_schedules() throws Exception {
    create("a/1", cron("0 3 * * *"));
    create("a/2", cron("0 4 * * *"));
    create("b", cron("0 5 * * *"));

    JsonNode first = JSON.readTree(EDGE.get("/v1/plannedFires?count=1&prefix=a/").body());
    ListPlannedFiresResponse none = planned("{\"count\": 0}");

    assertThat(first.at("/fires")).hasSize(1);
    assertThat(first.at("/fires/0/schedule").asText()).isEqualTo("a/1");
    assertThat(first.at("/fires/0/fireTime").asText()).isEqualTo("2030-01-01T03:00:00Z");
    assertThat(first.at("/parts/6/fires").asLong()).isEqualTo(1);
    assertThat(first.at("/parts/8/schedules").asInt()).isEqualTo(1);
    assertThat(first.at("/parts/10/fires").asLong()).isZero();
    assertThat(none.getFiresList()).isEmpty();
    assertThat(total(none)).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({
    "2030-01-01T00:01:00Z, 1, 60",
    "2030-01-01T01:00:00Z, 60, 60",
    "2030-01-01T01:00:01Z, 3, 1800",
    "2030-01-02T01:00:00Z, 50, 1800",
    "2030-01-02T01:00:01Z, 2, 86400",
    "2030-02-01T00:00:00Z, 31, 86400",
  })
  void parts_follow_in_equal_steps(String before, int count, int seconds) throws Exception {
    List<Part> parts = planned("{\"before\": \"" + before + "\"}").getPartsList();

    assertThat(parts).hasSize(count);
    for (int i = 0; i < count; i++) {
      assertThat(parts.get(i).getAt())
          .isEqualTo(ProtoTime.of(Edge.NOW.plusSeconds((long) i * seconds)));
    }
  }

  @Test
  void what_a_calendar_excludes_is_not_planned() throws Exception {
    EDGE.call(
        ScheduleServiceGrpc.getPutCalendarMethod(),
        "{\"calendar\": {\"name\": \"work\", \"rules\": \"week MON-FRI 08:00-18:00\"}}",
        null);
    create("a", cron("0 9 * * *") + ", \"calendars\": [{\"name\": \"work\"}]");
    create("b", cron("* * * * * *") + ", \"calendars\": [{\"name\": \"work\"}]");

    String weekend =
        "{\"prefix\": \"%s\", \"notBefore\": \"2030-01-04T18:00:00Z\", \"before\": \"2030-01-07T%s\"}";

    assertThat(times(planned(weekend.formatted("a", "09:00:01Z"))))
        .containsExactly("2030-01-07T09:00:00Z");
    assertThat(times(planned(weekend.formatted("a", "09:00:00Z")))).isEmpty();
    assertThat(times(planned(weekend.formatted("b", "08:00:01Z"))))
        .containsExactly("2030-01-07T08:00:00Z");
    assertThat(planned(weekend.formatted("b", "08:00:00Z")))
        .satisfies(plan -> assertThat(total(plan)).isZero())
        .satisfies(plan -> assertThat(plan.getIncomplete()).isFalse());
  }

  @Test
  void the_day_on_which_the_clocks_go_forward_is_planned_as_the_schedule_wants() throws Exception {
    String zone = ", \"timeZone\": \"Europe/Berlin\"";
    create("after", cron("30 2 * * *") + zone);
    create("skip", cron("30 2 * * *") + zone + ", \"dst\": {\"gap\": \"SKIP\"}");

    ListPlannedFiresResponse plan =
        planned("{\"notBefore\": \"2030-03-30T00:00:00Z\", \"before\": \"2030-04-02T00:00:00Z\"}");

    assertThat(parts(plan))
        .containsExactly(
            "2030-03-30T00:00:00Z 2 2", "2030-03-31T00:00:00Z 1 1", "2030-04-01T00:00:00Z 2 2");
    assertThat(plan.getFires(2).getSchedule()).isEqualTo("after");
    assertThat(times(plan).get(2)).isEqualTo("2030-03-31T01:00:00Z");
  }

  @Test
  void paused_schedules_and_those_whose_rule_is_lost_plan_nothing() throws Exception {
    create("active", cron("0 3 * * *"));
    create("paused", cron("0 3 * * *"));
    create("lost", cron("0 3 * * *"));
    EDGE.schedules.pause(new ScheduleName("paused"), "");
    EDGE.schedules.loseZone(new ScheduleName("lost"));

    assertThat(parts(planned("{}"))).containsExactly("2030-01-01T03:00:00Z 1 1");

    EDGE.schedules.resume(new ScheduleName("paused"));

    assertThat(parts(planned("{}"))).containsExactly("2030-01-01T03:00:00Z 2 2");
  }

  @Test
  void bounds_of_schedules_hold_and_what_is_decided_is_not_planned() throws Exception {
    create("end", "\"every\": \"3600s\", \"endAt\": \"2030-01-01T02:00:00Z\"");
    create("runs", "\"every\": \"600s\", \"maxRuns\": \"2\"");

    ListPlannedFiresResponse plan =
        planned("{\"notBefore\": \"2029-12-31T23:00:00Z\", \"before\": \"2030-01-01T03:00:00Z\"}");

    assertThat(times(plan))
        .containsExactly("2030-01-01T00:10:00Z", "2030-01-01T00:20:00Z", "2030-01-01T01:00:00Z");
    assertThat(plan.getIncomplete()).isFalse();
  }

  @Test
  void a_fixed_delay_has_its_next_fire_time_only() throws Exception {
    create("delay", "\"delayAfter\": \"60s\"");
    EDGE.schedules.lookAt(new ScheduleName("delay"), Edge.NOW.plusSeconds(90));

    assertThat(times(planned("{}"))).containsExactly("2030-01-01T00:01:30Z");
    assertThat(times(planned("{\"before\": \"2030-01-01T00:01:30Z\"}"))).isEmpty();
    assertThat(times(planned("{\"notBefore\": \"2030-01-01T00:01:31Z\"}"))).isEmpty();
  }

  @Test
  void a_schedule_of_every_second_is_counted_up_to_a_bound() throws Exception {
    create("every-second", cron("* * * * * *"));

    ListPlannedFiresResponse plan = planned(MONTH);

    assertThat(total(plan)).isEqualTo(10_000);
    assertThat(plan.getFiresCount()).isEqualTo(100);
    assertThat(plan.getIncomplete()).isTrue();
    assertThat(planned("{\"before\": \"2030-01-01T02:46:41Z\"}")) // 10,000 s and one, which is now
        .satisfies(whole -> assertThat(total(whole)).isEqualTo(10_000))
        .satisfies(whole -> assertThat(whole.getIncomplete()).isFalse());
  }

  @Test
  void many_schedules_are_counted_up_to_a_bound_the_earliest_times_first() throws Exception {
    for (int i = 0; i < 21; i++) {
      create("s" + i, cron("* * * * * *"));
    }

    ListPlannedFiresResponse plan = planned(MONTH);

    assertThat(total(plan)).isEqualTo(200_000);
    assertThat(plan.getFiresList().subList(0, 21))
        .extracting(PlannedRun::getFireTime)
        .containsOnly(ProtoTime.of(Edge.NOW.plusSeconds(1)));
    assertThat(plan.getIncomplete()).isTrue();
  }

  @Test
  void of_more_than_5000_schedules_those_are_counted() throws Exception {
    ScheduleDefinition daily =
        new ScheduleDefinition(
            ScheduleRule.of(ScheduleRule.Kind.EVERY, "PT24H"),
            RuleBounds.NONE,
            RunSpread.NONE,
            new ScheduleTarget.Handler(
                new QueueName(new HandlerName("h"), QueueName.DEFAULT),
                TaskDetails.of(new byte[0])),
            FirePolicies.DEFAULT);
    String days = "{\"before\": \"2030-01-03T00:00:00Z\"}";
    for (int i = 0; i < 5_000; i++) {
      EDGE.schedules.create(new ScheduleName("s" + i), daily);
    }

    assertThat(parts(planned(days))).containsExactly("2030-01-02T00:00:00Z 5000 5000");
    assertThat(planned(days).getIncomplete()).isFalse();

    EDGE.schedules.create(new ScheduleName("t"), daily);

    assertThat(parts(planned(days))).containsExactly("2030-01-02T00:00:00Z 5000 5000");
    assertThat(planned(days).getIncomplete()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          before=2030-01-01T00:00:00Z | before | must be after not_before
          before=2029-12-31T00:00:00Z | before | must be after not_before
          notBefore=2030-01-01T00:00:00Z&before=2030-02-01T00:00:00.000001Z | before | must be at most 31 days after not_before
          notBefore=2030-01-02T00:00:00Z&before=2030-01-01T00:00:00Z | before | must be after not_before
          count=1001 | count | must be 0 to 1,000
          count=-1 | count | must be 0 to 1,000
          prefix=a%C2%85 | prefix | must have no control characters
          """)
  void a_refusal_names_the_field(String query, String field, String rule) throws Exception {
    HttpResponse<String> answer = EDGE.get("/v1/plannedFires?" + query);

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    JsonNode problem = JSON.readTree(answer.body());
    assertThat(problem.at("/field").asText()).isEqualTo(field);
    assertThat(problem.at("/detail").asText()).contains(rule);
  }

  @Test
  void the_end_of_the_calendar_is_no_failure() throws Exception {
    create("a", cron("0 0 * * *"));

    assertThat(total(planned("{\"notBefore\": \"9999-12-31T00:00:00Z\"}"))).isEqualTo(1);
    assertThat(planned("{\"notBefore\": \"9999-12-31T23:59:59.999999Z\"}").getPartsList())
        .isEmpty();
  }

  @Test
  void all_who_look_at_the_same_time_share_a_plan() throws Exception {
    String january = MONTH.replace("{", "{\"count\": 7, "); // asked for by no other test
    create("a", cron("0 3 * * *"));
    EDGE.schedules.whileListing = () -> EDGE.time = Edge.NOW.plusSeconds(1);
    try {
      for (int i = 0; i < 5; i++) {
        assertThat(total(planned(january))).isEqualTo(31);
      }
      assertThat(EDGE.schedules.listings).hasValue(1);

      planned(january.replace("7", "8"));
      assertThat(EDGE.schedules.listings).hasValue(2);
    } finally {
      EDGE.time = Edge.NOW;
    }
  }

  @Test
  void a_plan_that_would_pass_over_many_schedules_says_that_it_is_a_part() throws Exception {
    for (int i = 0; i < 5; i++) {
      create("s" + i, cron("0 3 * * *"));
    }
    EDGE.schedules.mostLooked = 4;

    assertThat(planned("{}").getIncomplete()).isTrue();
    EDGE.schedules.mostLooked = 5;
    assertThat(planned("{}").getIncomplete()).isFalse();
  }

  @Test
  void a_node_counts_for_two_calls_at_a_time() throws Exception {
    AtomicInteger depth = new AtomicInteger();
    Queue<HttpResponse<String>> nested = new ConcurrentLinkedQueue<>();
    EDGE.schedules.whileListing =
        () -> {
          int now = depth.incrementAndGet();
          if (now <= 2) {
            HttpRequest another =
                HttpRequest.newBuilder(EDGE.uri("/v1/plannedFires?count=" + now)).build();
            nested.add(EDGE.http().sendAsync(another, BodyHandlers.ofString()).join());
          }
        };

    assertThat(EDGE.get("/v1/plannedFires").statusCode()).isEqualTo(200);
    assertThat(nested).extracting(HttpResponse::statusCode).containsExactly(429, 200);
    assertThat(EDGE.get("/v1/plannedFires").statusCode()).isEqualTo(200);
  }
}
