package io.kairos.conformance;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.rpc.Code;
import io.kairos.api.v1.HeartbeatResponse.Verdict;
import io.kairos.api.v1.Result;
import io.kairos.client.KairosClient;
import io.kairos.client.Task;
import io.kairos.client.TaskOutcome;
import io.kairos.client.TaskRequest;
import io.kairos.client.task.CancelOutcome;
import io.kairos.client.task.RetryPolicy;
import io.kairos.client.task.TaskId;
import io.kairos.client.task.TaskResult;
import io.kairos.client.task.TaskState;
import io.kairos.conformance.ScriptedNode.Asked;
import io.kairos.conformance.ScriptedNode.Refusal;
import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The cases that a worker in any language passes. Each starts the worker as a process and sees it
 * through the API of a node, the file of its effects, and the calls that a scripted node gets.
 */
abstract class WorkerConformance {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final RetryPolicy AT_ONCE =
      RetryPolicy.attempts(5).backoff(Duration.ZERO, 1, Duration.ZERO);

  @TempDir Path folder;

  /** Keeps the tasks of cases apart that share a node. */
  private final String prefix = "c" + UUID.randomUUID().toString().substring(0, 8) + ".";

  private final List<WorkerProcess> started = new ArrayList<>();
  private Effects effects;

  /** The node of the case, and its client. */
  private String address = "";

  private KairosClient client;

  /** The worker that is judged, which may skip the test when it cannot be run here. */
  abstract Subject subject();

  @BeforeEach
  void connect() {
    effects = new Effects(folder.resolve("effects"));
    address = RealNode.shared().address();
    client = KairosClient.connect(address);
  }

  private void use(RealNode node) {
    client.close();
    address = node.address();
    client = KairosClient.connect(address);
  }

  @AfterEach
  void end() {
    started.forEach(WorkerProcess::close);
    client.close();
  }

  // What cases are made of.

  private WorkerProcess worker(String address, int concurrency, int drain, String... behaviours)
      throws IOException {
    int number = started.size() + 1;
    List<String> handlers = Arrays.stream(behaviours).map(this::handler).toList();
    WorkerProcess process =
        WorkerProcess.start(
            subject(),
            Map.of(
                "KAIROS_ADDRESS",
                address,
                "KAIROS_WORKER",
                prefix + number,
                "CONFORMANCE_HANDLERS",
                String.join(",", handlers),
                "CONFORMANCE_CONCURRENCY",
                Integer.toString(concurrency),
                "CONFORMANCE_DRAIN",
                Integer.toString(drain),
                "CONFORMANCE_EFFECTS",
                effects.file().toString()),
            folder.resolve("worker-" + number + ".log"));
    started.add(process);
    return process;
  }

  private WorkerProcess worker(String... behaviours) throws IOException {
    return worker(address, 1, 10, behaviours);
  }

  private String handler(String behaviour) {
    return prefix + behaviour;
  }

  private TaskId schedule(String behaviour, byte[] payload) {
    return client.schedule(
        TaskRequest.to(handler(behaviour)).payload(payload).retryPolicy(AT_ONCE).build());
  }

  private TaskId schedule(String behaviour, String payload) {
    return schedule(behaviour, payload.getBytes(US_ASCII));
  }

  private Task ended(TaskId id) {
    TaskOutcome outcome = client.await(id, PATIENCE);
    if (outcome instanceof TaskOutcome.StillRunning) {
      throw new AssertionError(client.get(id) + " goes on; " + said());
    }
    return client.get(id);
  }

  private Task succeeded(TaskId id) {
    Task task = ended(id);
    assertThat(task.state())
        .as(() -> task.failures() + "; " + said())
        .isEqualTo(TaskState.SUCCEEDED);
    return task;
  }

  private String said() {
    return started.stream().map(WorkerProcess::said).toList().toString();
  }

  private static byte[] value(Task task) {
    TaskResult result = task.resultValue();
    return result == null ? new byte[0] : result.value();
  }

  private static byte[] sha256(byte[] bytes) throws Exception {
    return HexFormat.of()
        .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes))
        .getBytes(US_ASCII);
  }

  // Tasks and results.

  @Test
  void each_handler_gets_its_payload_and_leaves_its_result() throws Exception {
    worker("echo", "digest");

    TaskId echo = schedule("echo", "hello");
    TaskId digest = schedule("digest", "hello");

    assertThat(value(succeeded(echo))).isEqualTo("hello".getBytes(US_ASCII));
    assertThat(value(succeeded(digest))).isEqualTo(sha256("hello".getBytes(US_ASCII)));
    assertThat(client.get(echo).attempt()).isOne();
  }

  @Test
  void every_byte_arrives_as_it_was() throws Exception {
    byte[] all = new byte[256];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) i;
    }
    worker("echo");

    assertThat(value(succeeded(schedule("echo", all)))).isEqualTo(all);
    assertThat(value(succeeded(schedule("echo", new byte[0])))).isEmpty();
  }

  @Test
  void a_payload_of_a_megabyte_arrives_and_a_result_of_the_largest_size_is_kept() throws Exception {
    byte[] large = new byte[1_000_000];
    Arrays.fill(large, (byte) 0xfe);
    byte[] most = Arrays.copyOf(large, TaskResult.MOST_BYTES);
    worker("echo", "digest");

    assertThat(value(succeeded(schedule("digest", large)))).isEqualTo(sha256(large));
    assertThat(value(succeeded(schedule("echo", most)))).isEqualTo(most);
  }

  @Test
  void a_result_that_is_too_large_fails_the_task_for_good_and_says_why() throws Exception {
    worker("large", "echo");

    Task task = ended(schedule("large", Integer.toString(TaskResult.MOST_BYTES + 1)));

    assertThat(task.state()).isEqualTo(TaskState.FAILED);
    assertThat(task.failures()).hasSize(1);
    assertThat(task.failures().getFirst().error()).contains("result");
    succeeded(schedule("echo", "it goes on"));
  }

  // Failures.

  @Test
  void a_failed_attempt_is_told_and_the_next_one_has_its_number() throws Exception {
    worker("fail");

    Task task = succeeded(schedule("fail", "3"));

    assertThat(value(task)).isEqualTo("3".getBytes(US_ASCII));
    assertThat(task.attempt()).isEqualTo(3);
    assertThat(task.failures()).extracting(Task.Failure::attempt).containsExactly(1, 2);
    assertThat(task.failures())
        .allSatisfy(
            one -> assertThat(one.error()).contains("conformance: attempt " + one.attempt()));
  }

  @Test
  void a_failure_for_good_is_not_retried() throws Exception {
    worker("fatal");

    Task task = ended(schedule("fatal", ""));

    assertThat(task.state()).isEqualTo(TaskState.FAILED);
    assertThat(task.failures()).hasSize(1);
    assertThat(task.failures().getFirst().error()).contains("conformance: never");
  }

  @Test
  void a_snooze_is_no_failure_and_counts_no_attempt() throws Exception {
    worker("snooze");

    Task task = succeeded(schedule("snooze", Long.toString(Instant.now().getEpochSecond() + 2)));

    assertThat(task.attempt()).isOne();
    assertThat(task.failures()).isEmpty();
  }

  @Test
  void progress_is_told_while_the_handler_works() throws Exception {
    worker("progress");
    TaskId id = schedule("progress", "30");

    Task.Progress told = client.get(id).progress();
    long until = System.nanoTime() + PATIENCE.toNanos();
    while (told == null && System.nanoTime() - until < 0) {
      TimeUnit.MILLISECONDS.sleep(100);
      told = client.get(id).progress();
    }

    assertThat(told)
        .as(this::said)
        .extracting(Task.Progress::percent, Task.Progress::note)
        .containsExactly(50, "half");
  }

  // Leases.

  @Test
  void heartbeats_keep_a_task_that_takes_longer_than_its_lease() throws Exception {
    use(RealNode.withShortLeases());
    worker("slow");
    TaskId id = schedule("slow", Long.toString(RealNode.LEASE.toSeconds() + 2));

    assertThat(succeeded(id).attempt()).isOne();
    assertThat(effects.of(id.toString()))
        .extracting(Effects.Effect::fence)
        .containsOnly(effects.of(id.toString()).getFirst().fence());
  }

  @Test
  void no_more_tasks_are_performed_at_a_time_than_there_are_places() throws Exception {
    worker(address, 2, 10, "slow");
    List<TaskId> ids = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      ids.add(schedule("slow", "1"));
    }
    ids.forEach(this::succeeded);

    // Of a task that began while two others had not ended, there would be three.
    List<Effects.Effect> all = effects.all();
    for (Effects.Effect one : all) {
      Set<String> together = new HashSet<>();
      for (TaskId id : ids) {
        List<Effects.Effect> its = effects.of(id.toString());
        if (its.getFirst().atMillis() <= one.atMillis()
            && its.getLast().atMillis() >= one.atMillis()) {
          together.add(id.toString());
        }
      }
      assertThat(together).hasSizeLessThanOrEqualTo(2);
    }
  }

  @Test
  void a_task_whose_lease_is_lost_is_stopped_and_its_result_not_sent() throws Exception {
    try (ScriptedNode node = new ScriptedNode()) {
      worker(node.address(subject().protocol()), 1, 10, "slow");
      node.answerHeartbeats(Verdict.LOST);
      String task = node.give(handler("slow"), "20");
      effects.await(task, 0);
      ScriptedNode.take(node.heartbeats);

      // It asks again when the handler has ended.
      node.asks.clear();
      ScriptedNode.take(node.asks);
      int stopped = effects.of(task).size();
      ScriptedNode.take(node.asks);

      assertThat(effects.of(task)).hasSize(stopped);
      assertThat(node.results).as("results of a lost task").isEmpty();
    }
  }

  @Test // DA-22
  void failed_heartbeats_stop_a_task_before_its_lease_ends() throws Exception {
    try (ScriptedNode node = new ScriptedNode()) {
      node.refuseHeartbeats(new Refusal(Code.UNAVAILABLE, 0));
      String task = node.give(handler("slow"), "20");
      worker(node.address(subject().protocol()), 1, 10, "slow");
      Effects.Effect begun = effects.await(task, 0);
      ScriptedNode.take(node.heartbeats);
      node.asks.clear();
      ScriptedNode.take(node.asks);

      // The lease was given before the first effect.
      assertThat(effects.of(task).getLast().atMillis() - begun.atMillis())
          .as("milliseconds from its begin to its end")
          .isLessThan(ScriptedNode.LEASE.toMillis());
      assertThat(node.results).as("results of a lost task").isEmpty();
    }
  }

  /** The task is begun when it is given anew, and was not before. */
  private void assertBegunAgainAlone(ScriptedNode node, String task) throws Exception {
    Effects.Effect begun = effects.await(task, ScriptedNode.FIRST_FENCE);

    assertThat(node.result(task).getFence()).as(this::said).isEqualTo(begun.fence());
    assertThat(effects.of(task))
        .extracting(Effects.Effect::fence)
        .containsOnly(ScriptedNode.FIRST_FENCE + 1);
  }

  @Test
  void a_task_whose_answer_came_too_late_is_not_begun() throws Exception {
    try (ScriptedNode node = new ScriptedNode()) {
      node.delayNextWork(ScriptedNode.LEASE.plusMillis(200));
      String task = node.give(handler("slow"), "1");
      worker(node.address(subject().protocol()), 1, 10, "slow");

      assertBegunAgainAlone(node, task);
    }
  }

  @Test
  void a_task_that_came_while_the_worker_was_stopped_for_longer_than_its_lease_is_not_begun()
      throws Exception {
    try (ScriptedNode node = new ScriptedNode()) {
      WorkerProcess worker = worker(node.address(subject().protocol()), 1, 10, "slow");
      ScriptedNode.take(node.asks); // it waits for an answer
      worker.signal("STOP");
      String task = node.give(handler("slow"), "1");
      node.awaitGiven();
      TimeUnit.MILLISECONDS.sleep(ScriptedNode.LEASE.toMillis() + 200); // that a lease has lapsed
      worker.signal("CONT");

      assertBegunAgainAlone(node, task);
    }
  }

  @Test
  void a_worker_that_was_stopped_for_longer_than_its_lease_changes_nothing_and_goes_on()
      throws Exception {
    use(RealNode.withShortLeases());
    WorkerProcess first = worker("slow", "echo");
    TaskId id = schedule("slow", "2");
    Effects.Effect begun = effects.await(id.toString(), 0);
    first.signal("STOP");
    WorkerProcess second = worker("slow", "echo");
    effects.await(id.toString(), begun.fence());
    Task task = succeeded(id);
    second.signal("TERM"); // so that it takes no more tasks with it
    second.awaitExit(20);
    first.signal("CONT");

    succeeded(schedule("echo", "it goes on"));
    assertThat(client.get(id)).usingRecursiveComparison().isEqualTo(task);
    assertThat(task.attempt()).isEqualTo(2);
    assertThat(first.isAlive()).isTrue();
  }

  @Test
  void the_task_of_a_killed_worker_is_performed_by_another() throws Exception {
    use(RealNode.withShortLeases());
    WorkerProcess first = worker("slow");
    TaskId id = schedule("slow", "2");
    Effects.Effect begun = effects.await(id.toString(), 0);

    first.close();
    worker("slow");
    effects.await(id.toString(), begun.fence());

    assertThat(succeeded(id).attempt()).isEqualTo(2);
    effects.assertNeverTwoAtATime(id.toString());
  }

  @Test
  void a_cancel_is_told_to_the_handler() throws Exception {
    worker("slow");
    TaskId id = schedule("slow", "60");
    effects.await(id.toString(), 0);

    assertThat(client.cancel(id)).isEqualTo(CancelOutcome.REQUESTED);

    assertThat(ended(id).state()).as(this::said).isEqualTo(TaskState.CANCELLED);
  }

  // Ends.

  @Test
  void a_drain_lets_tasks_end_and_begins_no_others() throws Exception {
    WorkerProcess worker = worker("slow", "echo");
    TaskId id = schedule("slow", "3");
    effects.await(id.toString(), 0);
    worker.signal("TERM");
    TaskId later = schedule("echo", "later");

    worker.awaitExit(30);

    assertThat(succeeded(id).attempt()).isOne();
    assertThat(client.get(later).state()).isIn(TaskState.NEW, TaskState.ENQUEUED);
    assertThat(client.get(later).attempt()).isZero();
  }

  @Test
  void a_drain_gives_back_what_does_not_end_in_time() throws Exception {
    WorkerProcess first = worker(address, 1, 1, "slow");
    TaskId id = schedule("slow", "12");
    Effects.Effect begun = effects.await(id.toString(), 0);
    first.signal("TERM");

    first.awaitExit(20);

    assertThat(client.get(id).state())
        .as("given back, not left to lapse; %s", said())
        .isIn(TaskState.NEW, TaskState.ENQUEUED, TaskState.RETRIABLE_FAILURE);
    worker("slow");
    effects.await(id.toString(), begun.fence());
    effects.assertNeverTwoAtATime(id.toString());
  }

  @Test
  void a_task_that_arrives_while_the_worker_ends_is_not_kept() throws Exception {
    try (ScriptedNode node = new ScriptedNode()) {
      WorkerProcess worker = worker(node.address(subject().protocol()), 1, 5, "echo");
      ScriptedNode.take(node.asks);
      node.asks.clear();
      ScriptedNode.take(node.asks); // it waits for an answer
      worker.signal("TERM");
      String task = node.give(handler("echo"), "late");

      worker.awaitExit(20);

      if (node.hasGivenAll()) { // else the worker has taken its call back in time
        assertThat(node.result(task).getOutcomeCase())
            .isIn(Result.OutcomeCase.NOT_BEGUN, Result.OutcomeCase.SUCCESS);
      }
    }
  }

  @Test
  void a_drain_during_a_call_for_work_is_told_to_the_node_and_no_other_call_follows()
      throws Exception {
    try (ScriptedNode node = new ScriptedNode()) {
      WorkerProcess worker = worker(node.address(subject().protocol()), 1, 5, "echo");
      ScriptedNode.take(node.asks); // it waits for an answer
      worker.signal("TERM");

      assertThat(ScriptedNode.take(node.leaves).getWorker()).isEqualTo(prefix + 1);
      node.asks.clear();
      worker.awaitExit(20);

      // One that was on its way when the signal came.
      assertThat(node.asks).as(this::said).hasSizeLessThanOrEqualTo(1);
    }
  }

  // Nodes that are away.

  @Test
  void a_worker_goes_on_when_its_node_has_been_restarted() throws Exception {
    try (RealNode node = new RealNode(Map.of())) {
      use(node);
      worker("echo");
      succeeded(schedule("echo", "before"));

      node.restart();

      succeeded(schedule("echo", "after"));
    }
  }

  @Test
  void a_worker_calls_again_when_a_node_wants_it_and_not_before() throws Exception {
    for (Code code : List.of(Code.UNAVAILABLE, Code.RESOURCE_EXHAUSTED)) {
      try (ScriptedNode node = new ScriptedNode()) {
        node.refuseNextAsk(new Refusal(code, 2));
        worker(node.address(subject().protocol()), 1, 10, "echo");

        Asked first = ScriptedNode.take(node.asks);
        Asked second = ScriptedNode.take(node.asks);

        assertThat(Duration.ofNanos(second.atNanos() - first.atNanos()))
            .as("time until the next call, after %s", code)
            .isBetween(Duration.ofMillis(1_900), Duration.ofSeconds(10));
        assertThat(node.result(node.give(handler("echo"), "x")).hasSuccess()).isTrue();
      }
    }
  }

  @Test
  void a_result_that_is_refused_for_now_is_sent_again() throws Exception {
    try (ScriptedNode node = new ScriptedNode()) {
      node.refuseNextResult(new Refusal(Code.UNAVAILABLE, 0));
      worker(node.address(subject().protocol()), 1, 10, "echo");
      String task = node.give(handler("echo"), "x");

      Result first = node.result(task);
      Result second = node.result(task);

      assertThat(second).isEqualTo(first);
      assertThat(second.getFence()).isPositive();
      assertThat(second.getSuccess().getResult().getValue().toStringUtf8()).isEqualTo("x");
    }
  }

  @Test
  void what_a_later_node_answers_beside_is_ignored() throws Exception {
    try (ScriptedNode node = new ScriptedNode()) {
      worker(node.address(subject().protocol()), 1, 10, "slow", "echo");
      String slow = node.give(handler("slow"), "2");
      String echo = node.give(handler("echo"), "x");

      assertThat(node.result(slow).hasSuccess()).isTrue();
      assertThat(node.result(echo).hasSuccess()).isTrue();
      assertThat(node.heartbeats).isNotEmpty();
    }
  }

  @Test
  void the_first_call_for_work_says_who_asks_and_for_how_many() throws Exception {
    try (ScriptedNode node = new ScriptedNode()) {
      worker(node.address(subject().protocol()), 3, 10, "slow", "echo");

      Asked first = ScriptedNode.take(node.asks);

      assertThat(first.request().getWorker()).isEqualTo(prefix + 1);
      assertThat(first.request().getHandlersList())
          .containsExactlyInAnyOrder(handler("slow"), handler("echo"));
      assertThat(first.request().getMaxTasks()).isBetween(1, 3);
    }
  }
}
