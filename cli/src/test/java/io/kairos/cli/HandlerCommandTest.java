package io.kairos.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Timestamp;
import io.kairos.api.v1.Handler;
import io.kairos.api.v1.ListHandlersResponse;
import io.kairos.api.v1.Pause;
import io.kairos.api.v1.Queue;
import io.kairos.api.v1.RedriveRequest;
import io.kairos.api.v1.RedriveResponse;
import io.kairos.api.v1.SetPauseRequest;
import io.kairos.api.v1.Task;
import io.kairos.api.v1.UpdateQueueRequest;
import io.kairos.cli.ScriptedNode.Said;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code kairos handler}: which words become which request, and what is printed. */
final class HandlerCommandTest {
  private static final Timestamp MINUTE = Timestamp.newBuilder().setSeconds(60).build();

  private final ScriptedNode node = new ScriptedNode();

  @AfterEach
  void stop() {
    node.close();
  }

  private static RedriveResponse back(int from, int count, boolean more) {
    RedriveResponse.Builder answer =
        RedriveResponse.newBuilder()
            .setMore(more)
            .setNextAfter(more ? new UUID(0, from + count - 1).toString() : "");
    for (int i = from; i < from + count; i++) {
      answer.addIds(new UUID(0, i).toString());
    }
    return answer.build();
  }

  @Test
  void daf3_a_redrive_goes_on_behind_what_it_has_put_back_and_spreads_all_of_it() {
    node.answers(back(0, 1_000, true), back(1_000, 500, false));

    assertThat(
            node.kairos(
                "handler redrive --handler=mail --state=dead --error='no route' --rate=100"))
        .isEqualTo(new Said(0, "1500 put back", ""));

    RedriveRequest first = node.request(RedriveRequest.class);
    assertThat(first.getLimit()).isEqualTo(1_000);
    assertThat(first.getPerSecond()).isEqualTo(100);
    assertThat(first.getFilter())
        .isEqualTo(
            RedriveRequest.Filter.newBuilder()
                .setHandler("mail")
                .addStates(Task.State.DEAD)
                .setError("no route")
                .build());
    RedriveRequest second = node.request(RedriveRequest.class);
    assertThat(second.getFilter().getAfter()).isEqualTo(new UUID(0, 999).toString());
    Timestamp start = first.getStart();
    assertThat(second.getStart())
        .isEqualTo(start.toBuilder().setSeconds(start.getSeconds() + 10).build());
  }

  @Test
  void daf3_a_redrive_goes_on_when_a_call_has_looked_far_and_found_nothing() {
    node.answers(back(100, 0, true), back(100, 2, false));

    assertThat(node.kairos("handler redrive --handler=rare").out()).isEqualTo("2 put back");

    assertThat(node.request(RedriveRequest.class).getFilter().getAfter()).isEmpty();
    assertThat(node.request(RedriveRequest.class).getFilter().getAfter())
        .isEqualTo(new UUID(0, 99).toString());
  }

  @Test
  void a_dry_run_of_a_redrive_counts_and_puts_nothing_back() {
    node.answers(
        RedriveResponse.newBuilder()
            .setCount(100)
            .setMore(true)
            .setNextAfter(new UUID(0, 7).toString())
            .build(),
        RedriveResponse.newBuilder().setCount(3).build());

    assertThat(
            node.kairos(
                    "handler redrive --all --dry-run --error-class=x.Error --collection=spring"
                        + " --fingerprint=0123456789abcdef --since=1970-01-01T00:01:00Z")
                .out())
        .isEqualTo("103 would be put back");

    RedriveRequest first = node.request(RedriveRequest.class);
    assertThat(first.getDryRun()).isTrue();
    assertThat(first.getFilter())
        .isEqualTo(
            RedriveRequest.Filter.newBuilder()
                .setErrorClass("x.Error")
                .setCollection("spring")
                .setErrorFingerprint("0123456789abcdef")
                .setEndedNotBefore(MINUTE)
                .build());
    assertThat(node.request(RedriveRequest.class).getFilter().getAfter())
        .isEqualTo(new UUID(0, 7).toString());
  }

  @Test
  void daf3_a_redrive_ends_at_its_limit() {
    node.answers(back(0, 1_000, true), back(1_000, 200, true));

    assertThat(node.kairos("handler redrive --all --limit=1200").out()).isEqualTo("1200 put back");

    assertThat(node.request(RedriveRequest.class).getLimit()).isEqualTo(1_000);
    assertThat(node.request(RedriveRequest.class).getLimit()).isEqualTo(200);
    assertThat(node.wasNotAsked()).isTrue();
  }

  @Test
  void daf3_tasks_that_are_named_are_put_back_by_one_call() {
    node.answers(back(7, 1, false));
    String id = new UUID(0, 7).toString();

    assertThat(node.kairos("handler redrive " + id).out()).isEqualTo("1 put back");

    assertThat(node.request(RedriveRequest.class).getIdsList()).containsExactly(id);
    assertThat(node.wasNotAsked()).isTrue();
  }

  @Test
  void da4_a_drop_names_its_collection_its_reason_and_its_end() {
    node.answers(
        Pause.newBuilder()
            .setHandler("mail")
            .setCollection("spring")
            .setMode(Pause.Mode.DROP)
            .setUntil(MINUTE)
            .setNote("too many")
            .build());

    Said said =
        node.kairos(
            "handler drop mail --yes --collection=spring --note='too many' "
                + "--until=1970-01-01T00:01:00Z");

    assertThat(said)
        .isEqualTo(new Said(0, "mail: dropping spring until 1970-01-01T00:01:00Z (too many)", ""));
    assertThat(node.request(SetPauseRequest.class))
        .isEqualTo(
            SetPauseRequest.newBuilder()
                .setHandler("mail")
                .setCollection("spring")
                .setMode(Pause.Mode.DROP)
                .setUntil(MINUTE)
                .setNote("too many")
                .build());
  }

  @Test
  void only_limits_that_are_named_are_changed_and_none_lifts_one() {
    node.answers(Queue.newBuilder().setHandler("mail").setPriority(7).setPerSecond(2.5).build());

    assertThat(node.kairos("handler limits mail --priority=7 --max-running=none --rate=2.5"))
        .isEqualTo(new Said(0, "priority 7: 2.5 per second", ""));

    UpdateQueueRequest request = node.request(UpdateQueueRequest.class);
    assertThat(request.getUpdateMask().getPathsList()).containsExactly("max_running", "per_second");
    assertThat(request.getQueue().hasMaxRunning()).isFalse();
    assertThat(request.getQueue().getPerSecond()).isEqualTo(2.5);
  }

  @Test
  void handlers_are_a_table_with_remarks_on_what_keeps_their_tasks_back() {
    node.answers(
        ListHandlersResponse.newBuilder()
            .addHandlers(Handler.newBuilder().setName("idle").setHasWorker(true))
            .addHandlers(
                Handler.newBuilder()
                    .setName("mail")
                    .setWaiting(12)
                    .setDead(3)
                    .addPauses(Pause.newBuilder().setHandler("mail").setMode(Pause.Mode.PAUSE))
                    .addQueues(Queue.newBuilder().setPriority(50).setMaxRunning(2).setRunning(1)))
            .build());

    assertThat(node.kairos("handler list").out().lines())
        .map(line -> line.replaceAll(" +", " "))
        .containsExactly(
            "HANDLER WAITING ENQUEUED PROCESSING BLOCKED PAUSED DEAD FAILED REMARKS",
            "idle 0 0 0 0 0 0 0",
            "mail 12 0 0 0 0 3 0 no worker; paused; priority 50: 1 of 2 running");
  }
}
