package io.kairos.postgres.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.schedule.RuleBounds;
import io.kairos.domain.schedule.RunSpread;
import io.kairos.domain.schedule.definition.FirePolicies;
import io.kairos.domain.schedule.definition.Schedule;
import io.kairos.domain.schedule.definition.ScheduleDefinition;
import io.kairos.domain.schedule.definition.ScheduleId;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.schedule.definition.ScheduleRule;
import io.kairos.domain.schedule.definition.ScheduleStep;
import io.kairos.domain.schedule.definition.ScheduleTarget;
import io.kairos.domain.schedule.fire.RuleTimetable;
import io.kairos.domain.schedule.fire.ScheduleRevision;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.graph.OnFailure;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.engine.pool.port.OlderNodesRun;
import io.kairos.engine.schedule.port.CreationResult;
import io.kairos.engine.schedule.port.ScheduleStore;
import io.kairos.postgres.PostgresStores;
import io.kairos.postgres.TestDatabase;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A node that does not know steps would fire the first task of a run alone. */
final class OlderNodesAndStepsTest {
  private static final TestDatabase DATABASE = TestDatabase.create();
  private static final PostgresStores STORES = DATABASE.open();
  private static final ScheduleName NIGHTLY = new ScheduleName("nightly");

  private final ScheduleStore store = STORES.schedules();

  @BeforeEach
  void start_fresh() {
    DATABASE.execute("truncate schedule, schedule_step, node");
  }

  private static void olderNodeEnrols() {
    DATABASE.execute(
        """
        insert into node (id, enrolled_at, renewed_at, lapse, schema_known)
        values (gen_random_uuid(), clock_timestamp(), clock_timestamp(), interval '10 s', 17)
        """);
  }

  private Schedule schedule(boolean hasSteps) {
    ScheduleTarget.Handler target =
        new ScheduleTarget.Handler(
            new QueueName(new HandlerName("load"), 50), TaskDetails.of(new byte[0]));
    ScheduleStep step =
        new ScheduleStep(target, List.of(new ScheduleStep.After(0, OnFailure.FAIL)));
    ScheduleDefinition definition =
        new ScheduleDefinition(
            ScheduleRule.of(ScheduleRule.Kind.EVERY, "PT1M"),
            RuleBounds.NONE,
            RunSpread.NONE,
            target,
            FirePolicies.DEFAULT,
            hasSteps ? List.of(step) : List.of());
    Instant now = store.now();
    return ScheduleRevision.begin(
            new ScheduleId(new UUID(7, 1)),
            NIGHTLY,
            definition,
            new RuleTimetable(definition.timeRule(NIGHTLY, now), Map.of()),
            now)
        .orElseThrow();
  }

  @Test
  void the_first_schedule_with_steps_is_refused_while_an_older_node_runs() {
    olderNodeEnrols();

    assertThatThrownBy(() -> store.create(schedule(true)))
        .isInstanceOf(OlderNodesRun.class)
        .hasMessageStartingWith("schedule.steps");
    assertThat(store.find(NIGHTLY)).isEmpty();
    assertThat(store.create(schedule(false))).isEqualTo(new CreationResult.Created());
  }

  @Test
  void no_older_node_enrols_until_the_last_schedule_with_steps_is_gone() {
    assertThat(store.create(schedule(true))).isEqualTo(new CreationResult.Created());

    assertThatThrownBy(OlderNodesAndStepsTest::olderNodeEnrols)
        .hasStackTraceContaining("version 21 of the schema");
    assertThat(store.discard(NIGHTLY)).isTrue();
    olderNodeEnrols();
  }
}
