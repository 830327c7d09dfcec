package io.kairos.domain.cron;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.page.ReservedPages;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CronTableRegistryTest {
  private static final ComponentId ONE = new ComponentId(1);
  private static final ComponentId TWO = new ComponentId(2);

  private final CronTableRegistry registry =
      new CronTableRegistry(new ReservedPages(1 << 20), CronListener.NONE);
  private final List<String> done = new ArrayList<>();

  private CronEntry entry(String name) {
    return new CronEntry(
        1, _ -> true, _ -> done.add(name), null, (_, _) -> done.add(name + " removed"));
  }

  @Test
  void cc12_an_unknown_component_has_an_empty_table_once_it_is_asked_for() {
    assertThat(registry.find(TWO)).isEmpty();

    CronTable table = registry.table(TWO);

    assertThat(table.count()).isZero();
    assertThat(table.component()).isEqualTo(TWO);
    assertThat(registry.table(TWO)).isSameAs(table);
    assertThat(registry.find(TWO)).containsSame(table);
    registry.table(ONE);
    assertThat(registry.components()).containsExactly(ONE, TWO);
    assertThat(registry.count()).isEqualTo(2);
  }

  @Test
  void cc12_a_tick_reaches_its_components_table_and_no_other() {
    registry.table(ONE).add(entry("one"));
    registry.table(TWO).add(entry("two"));

    assertThat(registry.evaluate(new Tick(TWO, 1, AgreedTime.OFF)))
        .isEqualTo(new TickEvaluation.Done(1, 1, 0));
    assertThat(done).containsExactly("two");
  }

  @Test
  void cc21_a_tick_of_a_component_without_table_evaluates_nothing_and_makes_none() {
    assertThat(registry.evaluate(new Tick(ONE, 1, AgreedTime.OFF)))
        .isEqualTo(TickEvaluation.IGNORED);
    assertThat(registry.count()).isZero();
  }

  @Test
  void cc12_disassociating_drops_the_table_and_tells_nobody() {
    registry.table(ONE).add(entry("one"));

    assertThat(registry.disassociate(ONE)).isTrue();
    assertThat(registry.disassociate(ONE)).isFalse();
    assertThat(done).isEmpty();
    assertThat(registry.find(ONE)).isEmpty();
    assertThat(registry.table(ONE).count()).isZero();
  }

  @Test
  void cc_l7_tables_keep_their_schedules_apart() {
    CronTable one = registry.table(ONE);
    CronTable two = registry.table(TWO);
    one.add(PeriodicEntries.every(one, 1, Duration.ofSeconds(10), _ -> done.add("one")));
    two.add(PeriodicEntries.every(two, 1, Duration.ofSeconds(20), _ -> done.add("two")));

    for (int second = 0; second < 40; second += 10) {
      registry.evaluate(new Tick(ONE, second + 1, AgreedTime.at(second * 1_000L)));
      registry.evaluate(new Tick(TWO, second + 2, AgreedTime.at(second * 1_000L)));
    }
    one.forgetSchedule();

    assertThat(done).containsExactly("one", "two", "one", "one", "two", "one");
    assertThat(one.nextFire(1)).isEmpty();
    assertThat(two.nextFire(1)).hasValue(Instant.ofEpochSecond(40));
  }
}
