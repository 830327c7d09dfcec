package io.kairos.contracts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.PendingState;
import io.kairos.engine.replica.ReplicatedLog;
import io.kairos.engine.replica.StateMachine;
import io.kairos.engine.replica.SubmissionResult;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The contract of every {@link ReplicatedLog}, on three or four replicas, of which one may crash,
 * or on a single replica. On a single replica, a test that names another replica means the only
 * one.
 */
public abstract class ReplicatedLogContract {
  private static final int MOST_REPLICAS = 4;
  private static final int SUBMITTING = 3;
  private static final ClientId CLIENT = new ClientId(17);
  private static final ClientId OTHER = new ClientId(18);

  /** Requests after which a replica that was away must be given a snapshot. */
  private static final int MANY = 300;

  private Replicas replicas = NONE;
  private final RecordingMachine[] machines = new RecordingMachine[MOST_REPLICAS];
  private final ReplicatedLog[] logs = new ReplicatedLog[MOST_REPLICAS];
  private final List<SubmissionResult> answers = new CopyOnWriteArrayList<>();

  static final Replicas NONE =
      new Replicas() {
        @Override
        public ReplicatedLog open(ReplicaId id, StateMachine machine) {
          throw new IllegalStateException("there are no replicas yet");
        }

        @Override
        public void crash(ReplicaId id) {}

        @Override
        public void wipe(ReplicaId id) {}

        @Override
        public boolean letPass(BooleanSupplier until) {
          return false;
        }

        @Override
        public Instant now() {
          return Instant.EPOCH;
        }

        @Override
        public void close() {}
      };

  /** The replicas of one cluster, with the state that they have kept. */
  public interface Replicas extends AutoCloseable {
    /** Starts a replica. */
    ReplicatedLog open(ReplicaId id, StateMachine machine);

    /** Kills a replica. */
    void crash(ReplicaId id);

    /** Removes the kept state of a replica that does not run. */
    void wipe(ReplicaId id);

    /** Lets time pass until the condition holds; false if that takes far too long. */
    boolean letPass(BooleanSupplier until);

    /** The time by the clocks of the replicas, which are right. */
    Instant now();

    /** True for a log that agrees on a time for each request. */
    default boolean hasTime() {
      return false;
    }

    @Override
    void close();
  }

  /** Replicas that have kept nothing; one may be gone without harm, unless it is the only one. */
  protected abstract Replicas newReplicas();

  /** Number of replicas: four, three or one. */
  protected int size() {
    return SUBMITTING;
  }

  private void needsOthers() {
    assumeTrue(size() > 1, "needs replicas that go on without one");
  }

  private ReplicatedLog log(int replica) {
    return logs[replica % size()];
  }

  private List<String> executed(int replica) {
    return machines[replica % size()].executed();
  }

  @BeforeEach
  void openAll() {
    replicas = newReplicas();
    openReplicas();
  }

  private void openReplicas() {
    for (int i = 0; i < size(); i++) {
      open(i);
    }
  }

  @AfterEach
  void closeAll() {
    replicas.close();
  }

  private void open(int replica) {
    machines[replica] = new RecordingMachine();
    logs[replica] = replicas.open(new ReplicaId(replica), machines[replica]);
  }

  private void crash(int replica) {
    replicas.crash(new ReplicaId(replica));
  }

  private void submit(int replica, ClientId client, long request, String text) {
    log(replica).submit(client, request, text.getBytes(StandardCharsets.UTF_8), answers::add);
  }

  private void submitAndAwait(int replica, ClientId client, long request, String text) {
    int before = answers.size();
    submit(replica, client, request, text);
    untilAnswered(before + 1);
  }

  private void until(BooleanSupplier so) {
    assertThat(replicas.letPass(so)).as("it takes far too long").isTrue();
  }

  private void untilAnswered(int count) {
    until(() -> answers.size() >= count);
  }

  /**
   * Submits requests one after another, each when the one before is done. A request whose result is
   * unknown is submitted again, or a later one would make it stale.
   */
  private void submitMany(int replica, ClientId client, int first, int count) {
    for (int request = first; request < first + count; request++) {
      do {
        submitAndAwait(replica, client, request, "m" + request);
      } while (answers.getLast() instanceof SubmissionResult.Unknown);
    }
  }

  private void untilExecuted(int replica, int count) {
    until(() -> executed(replica).size() >= count);
  }

  private void untilAllExecuted(int count) {
    for (int i = 0; i < size(); i++) {
      untilExecuted(i, count);
    }
  }

  private static int count(SubmissionResult answer) {
    return answer instanceof SubmissionResult.Done(long _, byte[] reply)
        ? ByteBuffer.wrap(reply).getInt()
        : -1;
  }

  /** Runs code on a log's thread and waits for it. */
  private void on(int replica, Runnable code) {
    List<String> done = new CopyOnWriteArrayList<>();
    log(replica)
        .post(() -> {
          code.run();
          done.add("done");
        });
    until(() -> !done.isEmpty());
  }

  @Test
  void cc14_a_request_is_executed_on_all_replicas_and_answered() {
    submitAndAwait(1, CLIENT, 1, "hello");
    untilAllExecuted(1);
    for (int i = 0; i < size(); i++) {
      assertThat(executed(i)).containsExactly("1:17/1=hello");
    }

    assertThat(answers).singleElement().isInstanceOf(SubmissionResult.Done.class);
    assertThat(((SubmissionResult.Done) answers.getFirst()).sequence()).isEqualTo(1);
    assertThat(count(answers.getFirst())).isEqualTo(1);
  }

  @Test
  void a_log_knows_itself_and_the_others() {
    int last = size() - 1;
    assertThat(log(last).self()).isEqualTo(new ReplicaId(last));
    assertThat(log(last).cluster().size()).isEqualTo(size());
    assertThat(log(last).cluster().mayFail()).isEqualTo(last / 2);
  }

  @Test
  void cc15_all_replicas_execute_all_requests_in_one_order_without_gaps() {
    for (int request = 1; request <= 20; request++) {
      for (int replica = 0; replica < SUBMITTING; replica++) {
        submit(replica, new ClientId(100 + replica * 100L + request), 1, "r" + request);
      }
    }
    untilAnswered(60);
    untilAllExecuted(60);

    assertThat(executed(1)).isEqualTo(executed(0));
    assertThat(executed(2)).isEqualTo(executed(0));
    assertThat(executed(0).stream().map(line -> Long.valueOf(line.substring(0, line.indexOf(':')))))
        .containsExactlyElementsOf(LongStream.rangeClosed(1, 60).boxed().toList());
  }

  @Test
  void a_request_that_is_submitted_again_is_executed_once_and_answered_alike() {
    submitAndAwait(0, CLIENT, 1, "once");
    submit(0, CLIENT, 1, "once");
    submit(2, CLIENT, 1, "once");
    untilAnswered(3);
    submitAndAwait(1, OTHER, 1, "after");

    assertThat(answers.subList(0, 3)).allMatch(answer -> count(answer) == 1);
    assertThat(executed(1)).containsExactly("1:17/1=once", "2:18/1=after");
  }

  @Test
  void a_request_older_than_the_clients_last_is_stale() {
    submitAndAwait(0, CLIENT, 1, "one");
    submitAndAwait(0, CLIENT, 5, "five");
    submitAndAwait(0, CLIENT, 1, "one");

    assertThat(answers.get(2)).isEqualTo(new SubmissionResult.Stale(5));
    assertThat(executed(0)).containsExactly("1:17/1=one", "2:17/5=five");
  }

  @Test
  void cc37_cc38_a_request_is_queued_then_ordered_then_executed() {
    List<PendingState> seen = new CopyOnWriteArrayList<>();
    List<String> order = new CopyOnWriteArrayList<>();
    ReplicatedLog log = log(0);
    log.onConsumed((client, request) -> {
      order.add("consumed " + client.value() + "/" + request);
      seen.add(log.pending(client, request));
    });
    on(
        0,
        () -> {
          seen.add(log.pending(CLIENT, 1));
          log.submit(
              CLIENT,
              1,
              new byte[] {1},
              answer -> {
                order.add("answered");
                seen.add(log.pending(CLIENT, 1));
                answers.add(answer);
              });
          seen.add(log.pending(CLIENT, 1));
        });
    untilAnswered(1);

    assertThat(order).containsExactly("consumed 17/1", "answered");
    assertThat(seen)
        .containsExactly(
            PendingState.NONE, PendingState.QUEUED, PendingState.ORDERING, PendingState.EXECUTED);
    on(0, () -> assertThat(log.lastRequest(CLIENT)).isEqualTo(1));
    on(0, () -> assertThat(log.lastRequest(OTHER)).isZero());
  }

  @Test
  void posted_code_runs_one_after_another() {
    List<String> ran = new CopyOnWriteArrayList<>();
    for (int i = 0; i < 10; i++) {
      int number = i;
      log(1)
          .post(() -> {
            ran.add("begins " + number);
            log(1).post(() -> ran.add("posted there"));
            ran.add("ends " + number);
          });
    }
    until(() -> ran.size() == 30);

    for (int i = 0; i < 10; i++) {
      assertThat(ran).containsSequence("begins " + i, "ends " + i);
    }
  }

  @Test
  void one_replica_gone_stops_nothing_whichever_it_is() {
    needsOthers();
    for (int gone = 0; gone < size(); gone++) {
      crash(gone);
      submitMany(gone + 1, new ClientId(50 + gone), 1, 1);
      open(gone);
      untilExecuted(gone, gone + 1);
    }

    assertThat(executed(0)).isEqualTo(executed(2)).hasSize(size());
  }

  @Test
  void cc22_a_replica_that_comes_back_has_what_it_had_and_what_it_missed() {
    needsOthers();
    submitMany(0, CLIENT, 1, 10);
    crash(2);
    submitMany(0, CLIENT, 11, 10);
    open(2);
    untilExecuted(2, 20);

    assertThat(executed(2)).isEqualTo(executed(0));
    submitAndAwait(2, CLIENT, 20, "again");
    assertThat(count(answers.getLast())).isEqualTo(20);
  }

  @Test
  void cc30_a_replica_that_lost_everything_gets_it_back() {
    needsOthers();
    submitMany(0, CLIENT, 1, MANY);
    crash(1);
    replicas.wipe(new ReplicaId(1));
    submitMany(0, OTHER, 1, 5);
    open(1);
    untilExecuted(1, MANY + 5);

    assertThat(executed(1)).isEqualTo(executed(0));
    assertThat(log(1).sequence()).isEqualTo(MANY + 5L);
    submitAndAwait(1, CLIENT, MANY, "again");
    assertThat(count(answers.getLast())).isEqualTo(MANY);
  }

  @Test
  void all_replicas_come_back_with_everything() {
    submitMany(0, CLIENT, 1, 50);
    untilAllExecuted(50);
    List<String> executed = new ArrayList<>(executed(0));
    for (int i = 0; i < size(); i++) {
      crash(i);
    }
    openReplicas();
    submitMany(1, CLIENT, 51, 1);
    untilExecuted(2, 51);

    assertThat(executed(2).subList(0, 50)).isEqualTo(executed);
  }

  @Test
  void what_is_pending_when_a_replica_ends_may_or_may_not_be_executed_and_once_at_most() {
    needsOthers();
    for (int i = 1; i < size(); i++) {
      crash(i);
    }
    submit(0, CLIENT, 1, "nobody hears it");
    crash(0);
    untilAnswered(1);
    assertThat(answers.getFirst()).isInstanceOf(SubmissionResult.Unknown.class);

    openReplicas();
    submitAndAwait(2, CLIENT, 1, "nobody hears it");
    submitAndAwait(0, OTHER, 1, "after");

    assertThat(executed(0)).containsExactly("1:17/1=nobody hears it", "2:18/1=after");
  }
}
