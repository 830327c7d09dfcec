package io.kairos.consensus;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.contracts.RecordingMachine;
import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.RequestSubmissions;
import io.kairos.engine.replica.SubmissionResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One of three replicas on Ratis sends ticks without end, by an error of its program. */
@Timeout(120)
class FloodingReplicaTest {
  private static final int REPLICAS = 3;
  private static final int FLOOD = 500;
  private static final int REQUESTS = 5;
  private static final byte[] TICK = new byte[21];

  /**
   * Few ticks a second, so that a flood is far more than that and yet leaves the machine time.
   * Elections late, as this test is not about them. No snapshots: Ratis closes a replica that is
   * given one while its log still has entries to write (ADR 14).
   */
  private static final RatisConfig.Limits LIMITS =
      new RatisConfig.Limits(
          Duration.ofMillis(500),
          Duration.ofSeconds(3),
          1_000_000,
          RatisReplicas.LIMITS.answerWithin(),
          RatisReplicas.LIMITS.maxPending(),
          RatisReplicas.LIMITS.maxPendingOfClient(),
          20);

  @TempDir Path directory;
  private @Nullable RatisReplicas replicas;
  private final List<RatisLog> logs = new ArrayList<>();
  private final List<RecordingMachine> machines = new ArrayList<>();
  private final List<SubmissionResult> answers = new CopyOnWriteArrayList<>();

  @BeforeEach
  void open() {
    RatisReplicas opened = new RatisReplicas(directory, REPLICAS, LIMITS, _ -> Optional.empty());
    replicas = opened;
    for (int i = 0; i < REPLICAS; i++) {
      machines.add(new RecordingMachine());
      logs.add((RatisLog) opened.open(new ReplicaId(i), machines.get(i)));
    }
  }

  @AfterEach
  void close() {
    requireNonNull(replicas).close();
  }

  /** Again while its fate is unknown, as on a busy machine: it is executed once. */
  private void submitAndAwait(int replica, ClientId client, long request) {
    boolean isDone = false;
    while (!isDone) {
      int before = answers.size();
      logs.get(replica).submit(client, request, TICK, answers::add);
      assertThat(requireNonNull(replicas).letPass(() -> answers.size() > before)).isTrue();
      SubmissionResult answer = answers.getLast();
      isDone = answer instanceof SubmissionResult.Done;
      assertThat(answer)
          .isInstanceOfAny(SubmissionResult.Done.class, SubmissionResult.Unknown.class);
    }
  }

  private long executed(int replica, ClientId client) {
    String of = ":" + client.value() + "/";
    return machines.get(replica).executed().stream().filter(line -> line.contains(of)).count();
  }

  private long ticksExecuted(int replica) {
    return machines.get(replica).executed().stream().filter(line -> line.contains(":-")).count();
  }

  /** Waits for one: a busy machine can have an election at any time. */
  private int leader() {
    AtomicReference<@Nullable ReplicaId> leader = new AtomicReference<>();
    assertThat(
            requireNonNull(replicas)
                .letPass(() -> {
                  logs.getFirst().leader().ifPresent(leader::set);
                  return leader.get() != null;
                }))
        .isTrue();
    return requireNonNull(leader.get()).number();
  }

  private static ClientId ticks(int replica, int component) {
    return ClientId.ofTicks(new ReplicaId(replica), new ComponentId(component));
  }

  private long entriesOfTheLog(int replica) {
    return logs.get(replica).division().orElseThrow().getInfo().getLastAppliedIndex();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void cc_l3_ticks_beyond_the_budget_are_not_ordered_and_the_others_go_on(boolean byTheLeader) {
    submitAndAwait(0, new ClientId(1), 1);
    int leader = leader();
    int flooder = byTheLeader ? leader : (leader + 1) % REPLICAS;
    int other = (leader + 2) % REPLICAS;
    long began = System.nanoTime();
    for (int i = 0; i < FLOOD; i++) {
      logs.get(flooder).submit(ticks(flooder, i), 1, TICK, _ -> {});
    }

    for (int request = 1; request <= REQUESTS; request++) {
      submitAndAwait(other, new ClientId(2), request);
      submitAndAwait(other, ticks(other, 1), request);
    }
    int perSecond = LIMITS.ticksPerSecond();
    // A follower that does not know the leader yet sends its flood only at its next round.
    assertThat(requireNonNull(replicas).letPass(() -> ticksExecuted(other) - REQUESTS >= perSecond))
        .isTrue();

    long flood = ticksExecuted(other) - REQUESTS;
    long entries = entriesOfTheLog(other);
    long rounds = (System.nanoTime() - began) / RequestSubmissions.AGAIN_EVERY.toNanos() + 1;
    // Twice what can be saved up, as another leader, if there is one, begins with that.
    long budget = 2L * perSecond + rounds * perSecond / 20;
    assertThat(executed(other, ticks(other, 1))).isEqualTo(REQUESTS);
    assertThat(flood).isLessThanOrEqualTo(budget);
    // Ratis has entries of its own.
    assertThat(entries).isLessThan(2 * (budget + 2L * REQUESTS));
  }
}
