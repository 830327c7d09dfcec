package io.kairos.postgres.task;

import static io.kairos.domain.task.TaskState.PROCESSING;
import static io.kairos.domain.task.TaskState.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.contracts.TaskStoreContract;
import io.kairos.contracts.TaskStores;
import io.kairos.domain.task.FencedTask;
import io.kairos.engine.task.port.HeartbeatFinding;
import io.kairos.engine.task.port.Settlement;
import io.kairos.engine.task.port.SettlementResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class PostgresTaskStoreTest extends TaskStoreContract {
  @Override
  protected TaskStores freshStores() {
    return ContractTaskStores.fresh();
  }

  /** During a rolling upgrade such nodes run, which leave the column as it is. */
  @Test
  void an_attempt_that_a_node_before_migration_6_begins_has_no_start_of_an_earlier_one() {
    FencedTask failed = processing();
    FencedTask notBegun = processing();
    FencedTask snoozed = processing();
    tasks.settle(
        List.of(
            new Settlement.Retry(failed, Duration.ZERO, "no luck"),
            new Settlement.NotBegun(notBegun),
            new Settlement.Snooze(snoozed, Duration.ZERO)));

    ContractTaskStores.claimAllByAnEarlierBuild();

    assertThat(view(failed).state()).isEqualTo(PROCESSING);
    assertThat(view(failed).progress().attemptStartedAt()).isNull();
    assertThat(view(notBegun).progress().attemptStartedAt()).isNull();
    assertThat(view(snoozed).progress().attemptStartedAt()).isNull();
  }

  /** Only a node that makes spans reads it. */
  @Test
  void a_trace_context_is_not_read_when_an_attempt_ends() {
    FencedTask done = processing();
    ContractTaskStores.trace("none of W3C");

    SettlementResult result = tasks.settle(List.of(finish(done, SUCCEEDED)));

    assertThat(result.tasks()).containsExactly(done);
    assertThat(result.traceparents()).containsExactly(Map.entry(done, "none of W3C"));
  }

  /** During a rolling upgrade such nodes run, which leave the column as it is. */
  @Test
  void an_attempt_that_an_older_node_begins_has_no_limit_of_an_earlier_one() {
    FencedTask failed = timed(LONG);
    FencedTask notBegun = timed(LONG);
    tasks.settle(
        List.of(
            new Settlement.Retry(failed, Duration.ZERO, "no luck"),
            new Settlement.NotBegun(notBegun)));
    stores.letPass(LONG.plusMinutes(1));

    ContractTaskStores.claimAllByAnEarlierBuild();

    FencedTask second = failed.next().next();
    FencedTask first = notBegun.next().next();
    assertThat(beat(second)).isEqualTo(HeartbeatFinding.EXTENDED);
    assertThat(settle(finish(second, SUCCEEDED), finish(first, SUCCEEDED)))
        .containsExactlyInAnyOrder(second, first);
  }
}
