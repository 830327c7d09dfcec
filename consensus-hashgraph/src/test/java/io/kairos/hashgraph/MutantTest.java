package io.kairos.hashgraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.hashgraph.HashgraphJudge.Broken;
import io.kairos.hashgraph.HashgraphSimulation.Mutant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The judge finds errors that are made on purpose. */
class MutantTest {
  private static List<String> broken(Mutant mutant, int seeds) {
    List<String> rules = new ArrayList<>();
    LongStream.range(0, seeds)
        .mapToObj(seed -> HashgraphSimulation.run(seed, mutant))
        .flatMap(outcome -> outcome.broken().stream())
        .forEach(thrown ->
            rules.add(thrown instanceof Broken rule ? rule.rule : thrown.getClass().getName()));
    return rules;
  }

  @Test
  void a_replica_that_sends_before_it_forces_forks() {
    assertThat(broken(Mutant.FORCES_NOTHING, 6)).contains("no fork");
  }

  @Test
  void a_replica_that_forgets_who_forked_is_found() {
    assertThat(broken(Mutant.FORGETS_FORKERS, 1)).contains("forkers are remembered");
  }

  @Test
  void a_replica_that_executes_otherwise_is_found() {
    assertThat(broken(Mutant.EXECUTES_OTHERWISE, 3)).contains("same order");
  }
}
