package io.kairos.simulator.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaGroup.Faults;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.cron.CronApplication;
import io.kairos.engine.cron.CronMachine;
import io.kairos.engine.cron.DivergenceSearch;
import io.kairos.engine.replica.OrderedExecution;
import io.kairos.engine.replica.ReplicasDivergedException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An action that does not do the same everywhere, and nobody who sees it but the replicas. */
class DivergedReplicaTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int DIGEST_EVERY = 100;

  private final Map<ReplicaId, String> stopped = new TreeMap<>();
  private List<ReplicaLife> processes = List.of();

  /** Whose number the action writes, on the replica that is given. */
  private interface Written {
    int on(ReplicaId replica);
  }

  private ReplicaCluster run(ReplicaGroup cluster, Written written) {
    ReplicaWiring wiring =
        new ReplicaWiring() {
          @Override
          public CronApplication application(CronApplication application, ReplicaId self) {
            return ReplicaMutant.ACTION_KNOWS_ITS_REPLICA.application(
                application, new ReplicaId(written.on(self)));
          }
        };
    SplittableRandom random = new SplittableRandom(1);
    ReplicaCluster sim =
        new ReplicaCluster(cluster, random, new OrderedExecution.Config(100, DIGEST_EVERY), wiring);
    ReplicaWorld world = new ReplicaWorld(sim, random);
    sim.setWitness(
        new ReplicaLogObserver() {
          @Override
          public void stopped(ReplicaLog log, ReplicasDivergedException diverged) {
            stopped.put(log.self(), explain(log.self(), diverged));
          }
        });
    processes = world.processes;
    processes.forEach(ReplicaLife::start);
    sim.timeline.runUntil(300 * SECOND);
    return sim;
  }

  private String explain(ReplicaId replica, ReplicasDivergedException diverged) {
    return DivergenceSearch.explain(
        diverged, machine(replica).trail().steps(0), other -> machine(other).trail().steps(0));
  }

  private CronMachine machine(ReplicaId replica) {
    return Objects.requireNonNull(processes.get(replica.number()).machine());
  }

  @ParameterizedTest
  @CsvSource({"3, CRASH", "5, CRASH", "4, BYZANTINE"})
  void r12_who_has_another_state_stops_and_names_request_and_entry_and_the_others_go_on(
      int size, Faults faults) {
    ReplicaId odd = new ReplicaId(1);

    ReplicaCluster sim =
        run(new ReplicaGroup(size, faults), replica -> replica.equals(odd) ? 1 : 0);

    assertThat(stopped).containsOnlyKeys(odd);
    assertThat(stopped.get(odd))
        .startsWith("at sequence 100 this replica has another state than replica ")
        .containsPattern("from replica \\d, at sequence \\d0: position 99 of component 1");
    assertThat(sim.running()).hasSize(size - 1);
    for (ReplicaLog log : sim.running()) {
      assertThat(log.sequence() - log.agreed()).isLessThan(2 * DIGEST_EVERY);
    }
  }

  @Test
  void r12_where_no_two_have_the_same_state_nobody_goes_on() {
    ReplicaCluster sim = run(new ReplicaGroup(3, Faults.CRASH), ReplicaId::number);

    // When two have stopped, what the third has not heard it never will.
    assertThat(stopped).hasSizeGreaterThanOrEqualTo(2);
    assertThat(sim.running()).allMatch(log -> log.sequence() < 2 * DIGEST_EVERY);
  }

  @Test
  void r12_an_action_that_does_the_same_everywhere_stops_nobody() {
    ReplicaCluster sim = run(new ReplicaGroup(3, Faults.CRASH), _ -> 0);

    assertThat(stopped).isEmpty();
    assertThat(sim.running()).hasSize(3).allMatch(log -> log.agreed() > 500);
  }
}
