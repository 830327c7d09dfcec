package io.kairos.engine.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestSubmissionsTest {
  private static final ClientId ONE = new ClientId(1);
  private static final ClientId TWO = new ClientId(2);
  private static final ClientId THREE = new ClientId(3);
  private static final byte[] TEXT = {'x'};

  private final OrderedExecution execution =
      new OrderedExecution(
          new EmptyMachine(),
          OrderedExecution.Config.DEFAULT,
          new ReplicaGroup(1, ReplicaGroup.Faults.CRASH));
  private final List<String> proposed = new ArrayList<>();
  private final List<Runnable> failures = new ArrayList<>();
  private final List<SubmissionResult> answers = new ArrayList<>();
  private final RequestSubmissions submissions =
      new RequestSubmissions(
          execution,
          (client, request, _, failed) -> {
            proposed.add(client.value() + "/" + request);
            failures.add(failed);
          },
          new RequestSubmissions.Bounds(3, 2, RequestSubmissions.AGAIN_EVERY.multipliedBy(3)));

  /** A state machine without a state. */
  private static final class EmptyMachine implements StateMachine {
    private static final byte[] NOTHING = {};

    @Override
    public byte[] execute(OrderedRequest request) {
      return NOTHING;
    }

    @Override
    public byte[] snapshot() {
      return NOTHING;
    }

    @Override
    public void restore(byte[] snapshot) {}

    @Override
    public byte[] digest() {
      return NOTHING;
    }
  }

  private boolean submit(ClientId client, long request) {
    return submissions.submit(client, request, TEXT, answers::add);
  }

  private void execute(ClientId client, long request) {
    submissions.settle(
        client,
        request,
        execution.execute(new RequestOrigin(client, request, new ReplicaId(0)), TEXT));
  }

  @Test
  void what_has_failed_is_put_to_the_leader_again_and_nothing_else_is() {
    submit(ONE, 1);
    assertThat(submissions.pending(ONE, 1)).isEqualTo(PendingState.QUEUED);
    submissions.takeUp();
    submissions.again();
    assertThat(proposed).containsExactly("1/1");
    assertThat(submissions.pending(ONE, 1)).isEqualTo(PendingState.ORDERING);

    failures.getFirst().run();
    submissions.again();
    assertThat(proposed).containsExactly("1/1", "1/1");

    execute(ONE, 1);
    assertThat(answers).singleElement().isInstanceOf(SubmissionResult.Done.class);
    assertThat(submissions.pending(ONE, 1)).isEqualTo(PendingState.EXECUTED);
    submissions.again();
    assertThat(proposed).hasSize(2);
  }

  @Test
  void what_nobody_executes_is_answered_as_unknown_after_a_while() {
    submit(ONE, 1);
    submissions.takeUp();
    for (int i = 0; i < 3; i++) {
      submissions.again();
    }
    assertThat(answers).isEmpty();

    submissions.again();

    assertThat(answers).singleElement().isInstanceOf(SubmissionResult.Unknown.class);
    assertThat(submissions.pending(ONE, 1)).isEqualTo(PendingState.NONE);
  }

  @Test
  void there_is_a_bound_and_room_comes_back() {
    submit(ONE, 1);
    submit(TWO, 1);
    submit(TWO, 2);
    assertThat(submit(THREE, 1)).isFalse();
    assertThat(answers).singleElement().isInstanceOf(SubmissionResult.Refused.class);

    execute(ONE, 1);

    assertThat(submit(THREE, 1)).isTrue();
  }

  @Test
  void a_client_that_floods_meets_its_own_bound_and_leaves_room_for_another() {
    submit(ONE, 1);
    submit(ONE, 2);
    assertThat(submit(ONE, 3)).isFalse();
    assertThat(answers).singleElement().isInstanceOf(SubmissionResult.Refused.class);
    assertThat(((SubmissionResult.Refused) answers.getFirst()).reason())
        .contains("client 1")
        .contains("when one of them is answered");

    assertThat(submit(TWO, 1)).isTrue();
    execute(ONE, 1);
    assertThat(submit(ONE, 3)).isTrue();
  }

  @Test
  void no_flood_of_clients_keeps_the_ticks_out() {
    submit(ONE, 1);
    submit(ONE, 2);
    submit(TWO, 1);
    assertThat(submit(THREE, 1)).isFalse();

    assertThat(submit(ClientId.ofTicks(new ReplicaId(0), new ComponentId(1)), 1)).isTrue();
  }

  @Test // CC-L3
  void a_replica_that_floods_its_own_log_with_ticks_of_a_table_meets_the_bound_of_a_client() {
    ClientId ticks = ClientId.ofTicks(new ReplicaId(0), new ComponentId(1));
    submit(ticks, 1);
    submit(ticks, 2);

    assertThat(submit(ticks, 3)).isFalse();
    assertThat(answers).singleElement().isInstanceOf(SubmissionResult.Refused.class);
    assertThat(submit(ClientId.ofTicks(new ReplicaId(0), new ComponentId(2)), 1)).isTrue();
  }

  @Test
  void one_request_submitted_twice_is_one_and_both_are_answered() {
    assertThat(submit(ONE, 1)).isTrue();
    assertThat(submit(ONE, 1)).isFalse();
    submissions.takeUp();
    execute(ONE, 1);

    assertThat(proposed).containsExactly("1/1");
    assertThat(answers).hasSize(2).allMatch(answer -> answer instanceof SubmissionResult.Done);
    submit(ONE, 1);
    assertThat(answers).hasSize(3).allMatch(answer -> answer instanceof SubmissionResult.Done);
  }

  @Test
  void cc30_what_a_snapshot_shows_to_have_been_executed_is_answered() {
    submit(ONE, 1);
    submissions.takeUp();
    execution.execute(new RequestOrigin(ONE, 1, new ReplicaId(2)), TEXT);

    submissions.restored();

    assertThat(answers).singleElement().isInstanceOf(SubmissionResult.Done.class);
  }

  @Test
  void after_the_end_everything_is_unknown() {
    submit(ONE, 1);
    submissions.end("closed");
    submit(TWO, 1);

    assertThat(answers)
        .hasSize(2)
        .allMatch(answer -> answer.equals(new SubmissionResult.Unknown("closed")));
  }
}
