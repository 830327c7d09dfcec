package io.kairos.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.contracts.ReplicatedLogContract.Replicas;
import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.CronEntry;
import io.kairos.domain.cron.CronListener;
import io.kairos.domain.cron.CronTableRegistry;
import io.kairos.domain.page.ReservedPages;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.cron.CronApplication;
import io.kairos.engine.cron.CronMachine;
import io.kairos.engine.cron.LogCommand;
import io.kairos.engine.cron.TickListener;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.OrderedRequest;
import io.kairos.engine.replica.ReplicatedLog;
import io.kairos.engine.replica.StateMachine;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The contract of agreed time on every {@link ReplicatedLog}, with the production cron machine,
 * whether the log agrees on a time or only orders the clock readings in ticks.
 */
public abstract class AgreedTimeContract {
  private static final ComponentId TABLE = new ComponentId(7);
  private static final int ROUNDS = 12;

  /** Longer than agreed time rises in a round of ticks whose clocks stand still. */
  private static final Duration A_ROUND = Duration.ofMillis(10);

  private Replicas replicas = ReplicatedLogContract.NONE;
  private final List<ReplicatedLog> logs = new ArrayList<>();
  private final List<Cron> crons = new ArrayList<>();
  private final AtomicInteger answers = new AtomicInteger();

  /** Replicas that have kept nothing; one may be gone without harm. */
  protected abstract Replicas newReplicas();

  /** The number of replicas, and their kind of faults. */
  protected abstract ReplicaGroup cluster();

  /** The cron machine with a table that is evaluated at each tick, and the times it was given. */
  private static final class Cron implements CronApplication, StateMachine {
    private final SortedMap<Long, AgreedTime> ofLog = new ConcurrentSkipListMap<>();
    private final SortedMap<Long, AgreedTime> ofTicks = new ConcurrentSkipListMap<>();
    private final CronMachine machine;

    Cron(ReplicaGroup cluster) {
      machine =
          new CronMachine(
              new CronMachine.Config(cluster), this, CronListener.NONE, TickListener.NONE);
    }

    @Override
    public void build(CronTableRegistry tables, ReservedPages pages) {
      tables
          .table(TABLE)
          .add(new CronEntry(1, _ -> true, tick -> ofTicks.put(tick.sequence(), tick.time())));
    }

    @Override
    public byte[] execute(Request request, ReservedPages pages) {
      return request.body();
    }

    @Override
    public byte[] execute(OrderedRequest request) {
      ofLog.put(request.sequence(), request.logTime());
      return machine.execute(request);
    }

    @Override
    public byte[] snapshot() {
      return machine.snapshot();
    }

    @Override
    public void restore(byte[] snapshot) {
      machine.restore(snapshot);
    }

    @Override
    public byte[] digest() {
      return machine.digest();
    }
  }

  @BeforeEach
  void openAll() {
    replicas = newReplicas();
    for (int i = 0; i < cluster().size(); i++) {
      crons.add(new Cron(cluster()));
      logs.add(replicas.open(new ReplicaId(i), crons.get(i)));
    }
  }

  @AfterEach
  void closeAll() {
    replicas.close();
  }

  private void until(BooleanSupplier so) {
    assertThat(replicas.letPass(so)).as("it takes far too long").isTrue();
  }

  private void untilAllAreLevel() {
    long sequence = logs.stream().mapToLong(ReplicatedLog::sequence).max().orElseThrow();
    for (ReplicatedLog log : logs) {
      until(() -> log.sequence() >= sequence);
    }
  }

  /** Lets so many replicas tick in each of the rounds, until these are executed. */
  private void tick(int running, long firstRound, long lastRound) {
    for (long round = firstRound; round <= lastRound; round++) {
      int enough = answers.get() + running;
      Instant after = replicas.now().plus(A_ROUND);
      for (int replica = 0; replica < running; replica++) {
        logs.get(replica)
            .submit(
                ClientId.ofTicks(new ReplicaId(replica), TABLE),
                round,
                new LogCommand.Tick(TABLE, round, replicas.now().toEpochMilli()).encode(),
                _ -> answers.incrementAndGet());
      }
      until(() -> answers.get() >= enough && replicas.now().isAfter(after));
    }
  }

  /** The time before anything happens, in whole milliseconds like that of ticks. */
  private Instant before() {
    return replicas.now().truncatedTo(ChronoUnit.MILLIS);
  }

  private static List<Instant> known(Collection<AgreedTime> times) {
    return times.stream()
        .filter(AgreedTime.At.class::isInstance)
        .map(time -> ((AgreedTime.At) time).instant())
        .toList();
  }

  private AgreedTime now(int replica) {
    List<AgreedTime> now = new ArrayList<>();
    AtomicInteger done = new AtomicInteger();
    logs.get(replica)
        .post(() -> {
          now.add(crons.get(replica).machine.clock().now());
          done.incrementAndGet();
        });
    until(() -> done.get() > 0);
    return now.getFirst();
  }

  @Test
  void cc46_a_time_of_the_log_is_equal_everywhere_and_never_before_that_of_an_earlier_request() {
    Instant before = before();
    tick(logs.size(), 1, ROUNDS);
    Instant after = replicas.now();
    untilAllAreLevel();

    SortedMap<Long, AgreedTime> times = crons.getFirst().ofLog;
    assertThat(crons).allSatisfy(each -> assertThat(each.ofLog).isEqualTo(times));
    assertThat(times).hasSize(ROUNDS * logs.size());
    if (replicas.hasTime()) {
      assertThat(known(times.values()))
          .hasSameSizeAs(times.values())
          .isSorted()
          .allMatch(time -> !time.isBefore(before) && !time.isAfter(after));
    } else {
      assertThat(times.values()).containsOnly(AgreedTime.OFF);
    }
  }

  @Test
  void cc46_ticks_have_one_time_on_all_replicas_that_rises_strictly_and_is_between_the_clocks() {
    Instant before = before();
    tick(logs.size(), 1, ROUNDS);
    Instant after = replicas.now();
    untilAllAreLevel();

    SortedMap<Long, AgreedTime> times = crons.getFirst().ofTicks;
    assertThat(crons).allSatisfy(each -> assertThat(each.ofTicks).isEqualTo(times));
    assertThat(known(times.values()))
        .hasSizeGreaterThanOrEqualTo(ROUNDS)
        .doesNotHaveDuplicates()
        .isSorted()
        .allMatch(time -> !time.isBefore(before) && !time.isAfter(after));
  }

  @Test
  void cc47_a_replica_that_comes_back_has_the_times_of_the_others() {
    int away = logs.size() - 1;
    tick(logs.size(), 1, ROUNDS);
    replicas.crash(new ReplicaId(away));
    tick(away, ROUNDS + 1, 2 * ROUNDS);
    crons.set(away, new Cron(cluster()));
    logs.set(away, replicas.open(new ReplicaId(away), crons.get(away)));
    untilAllAreLevel();

    SortedMap<Long, AgreedTime> times = new TreeMap<>(crons.getFirst().ofTicks);
    assertThat(known(times.values())).doesNotHaveDuplicates().isSorted();
    assertThat(times.entrySet()).containsAll(crons.get(away).ofTicks.entrySet());
    assertThat(now(0)).isEqualTo(times.lastEntry().getValue());
    assertThat(now(away)).isEqualTo(now(0));
  }
}
