package io.kairos.hashgraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.hashgraph.HashgraphJudge.Broken;
import io.kairos.hashgraph.HashgraphSimulation.Mutant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The judge finds errors that are made on purpose. */
class MutantTest {
  /** The rule that a seed breaks with a mutant; one that is known to come to where it matters. */
  private static Optional<String> broken(Mutant mutant, long seed) {
    return HashgraphSimulation.run(seed, mutant)
        .broken()
        .map(thrown -> thrown instanceof Broken rule ? rule.rule : thrown.getClass().getName());
  }

  @Test
  void a_replica_that_sends_before_it_forces_forks() {
    assertThat(broken(Mutant.FORCES_NOTHING, 1)).contains("no fork");
  }

  @Test
  void a_replica_that_forgets_who_forked_is_found() {
    assertThat(broken(Mutant.FORGETS_FORKERS, 65)).contains("forkers are remembered");
  }

  @Test
  void replicas_that_never_ask_for_events_do_not_go_on() {
    assertThat(broken(Mutant.NEVER_ASKS, 1)).contains("progress");
  }

  @Test
  void a_replica_that_speaks_in_the_name_of_another_is_found() {
    assertThat(broken(Mutant.SPEAKS_FOR_ANOTHER, 0)).contains("only liars' requests are skipped");
  }

  @Test
  void a_replica_that_executes_otherwise_is_found() {
    assertThat(broken(Mutant.EXECUTES_OTHERWISE, 0)).contains("same order");
  }
}
