package io.kairos.bench.mixed;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.bench.mixed.MixedPlan.Fault;
import io.kairos.bench.mixed.MixedPlan.Step;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MixedPlanTest {
  private static final int KINDS = Fault.values().length;

  @Test
  void the_same_seed_gives_the_same_faults() {
    assertThat(steps(7, 1)).isEqualTo(steps(7, 1));
  }

  @Test
  void another_seed_or_part_gives_other_faults() {
    assertThat(steps(7, 1)).isNotEqualTo(steps(8, 1)).isNotEqualTo(steps(7, 2));
  }

  @Test
  void every_kind_comes_before_one_comes_again() {
    List<Fault> faults = steps(7, 1).stream().map(Step::fault).toList();

    assertThat(faults.subList(0, KINDS)).containsExactlyInAnyOrder(Fault.values());
    assertThat(faults.subList(KINDS, 2 * KINDS)).containsExactlyInAnyOrder(Fault.values());
  }

  private static List<Step> steps(long seed, int part) {
    return Stream.generate(new MixedPlan(seed, part)::next).limit(2L * KINDS).toList();
  }
}
