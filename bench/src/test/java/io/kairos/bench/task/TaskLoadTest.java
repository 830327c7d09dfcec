package io.kairos.bench.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.bench.load.LoadPayload;
import io.kairos.bench.observe.ArrivalLedger;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TaskLoadTest {
  private static final int BATCH = 10;
  private static final KeyPlan KEYS = new KeyPlan(20, 50);

  @Test
  void a_task_is_scheduled_when_the_one_before_it_of_its_key_is_accepted()
      throws InterruptedException {
    Set<Long> accepted = new ConcurrentSkipListSet<>();
    Set<Long> tooSoon = Collections.synchronizedSet(new TreeSet<>());
    Consumer<List<TaskLoad.Job>> target =
        jobs -> {
          jobs.stream()
              .map(TaskLoad.Job::sequence)
              .filter(sequence -> KEYS.hasPrevious(sequence))
              .filter(sequence -> !accepted.contains(KEYS.previous(sequence)))
              .forEach(tooSoon::add);
          jobs.forEach(job -> accepted.add(job.sequence()));
        };

    try (TaskLoad load = load(target).start()) {
      load.join();

      assertThat(tooSoon).isEmpty();
      assertThat(load.sent()).isEqualTo(1_000);
      assertThat(accepted).hasSize(1_000);
      assertThat(load.hasEnded()).isTrue();
    }
  }

  @Test
  void what_a_failed_call_scheduled_is_uncertain_and_not_lost() throws InterruptedException {
    Consumer<List<TaskLoad.Job>> target =
        jobs -> {
          if (jobs.getFirst().sequence() == 30) {
            throw new IllegalStateException("no answer");
          }
        };

    try (TaskLoad load = load(target).start()) {
      load.join();
      ArrivalLedger ledger = ArrivalLedger.ofEverything(0);
      LongStream.range(40, 1_000).forEach(sequence -> ledger.arrived(sequence, 0, 0, true));

      assertThat(load.uncertain())
          .isEqualTo(
              LongStream.range(30, 40).boxed().collect(Collectors.toCollection(HashSet::new)));
      assertThat(load.accepted()).isEqualTo(990);
      assertThat(load.missingFrom(ledger).lost()).isEqualTo(30);
      assertThat(load.failure()).contains("no answer");
    }
  }

  private static TaskLoad load(Consumer<List<TaskLoad.Job>> target) {
    return new TaskLoad(
        target,
        new TaskLoad.Plan(0, BATCH, Integer.MAX_VALUE, 4, 0, Long.MAX_VALUE, KEYS),
        new LoadPayload(7, 32),
        (sequence, scheduledMicros) -> scheduledMicros,
        () -> 0);
  }
}
