package io.kairos.engine.cron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.CronEntry;
import io.kairos.domain.cron.CronListener;
import io.kairos.domain.cron.CronTable;
import io.kairos.domain.cron.CronTableRegistry;
import io.kairos.domain.cron.EntryCallback;
import io.kairos.domain.cron.Tick;
import io.kairos.domain.page.ReservedPages;
import io.kairos.engine.loop.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ActionBudgetTest {
  private static final ComponentId OURS = new ComponentId(7);
  private static final Duration BUDGET = Duration.ofMillis(10);
  private static final long MILLI = 1_000_000;

  private final List<String> passedOn = new ArrayList<>();
  private final ReservedPages pages = new ReservedPages(1 << 20);
  private long nowNanos = Long.MAX_VALUE - 5 * MILLI;
  private final ActionBudget budget =
      new ActionBudget(
          BUDGET,
          () -> nowNanos,
          new CronListener() {
            @Override
            public void began(ComponentId component, CronEntry entry) {
              passedOn.add("began " + entry.position());
            }

            @Override
            public void ended(ComponentId component, CronEntry entry) {
              passedOn.add("ended " + entry.position());
            }

            @Override
            public void failed(
                ComponentId component, int position, EntryCallback callback, Throwable thrown) {
              passedOn.add("failed " + position);
            }
          });
  private final CronTableRegistry tables = new CronTableRegistry(pages, budget);
  private final CronTable table = tables.table(OURS);

  /** An entry whose action takes so long at the first tick, and a millisecond more at each. */
  private void add(int position, long millis, boolean fails) {
    table.add(
        new CronEntry(
            position,
            _ -> true,
            tick -> {
              nowNanos += (millis + tick.sequence() - 1) * MILLI;
              if (fails) {
                throw new IllegalArgumentException("on purpose");
              }
            }));
  }

  private void ticks(int first, int last) {
    for (int sequence = first; sequence <= last; sequence++) {
      tables.evaluate(new Tick(OURS, sequence, AgreedTime.OFF));
    }
  }

  @Test
  void cc_l5_an_action_over_its_budget_is_counted_and_named() {
    add(1, 1, false);
    add(2, 10, false);
    add(3, 30, true);

    ticks(1, 3);

    assertThat(budget.count()).isEqualTo(5);
    assertThat(budget.overruns())
        .isEqualTo(
            Map.of(
                new RequestTrail.WriteSource.Entry(OURS, 2), 2L,
                new RequestTrail.WriteSource.Entry(OURS, 3), 3L));
  }

  @Test
  void cc_l5_a_rule_has_no_budget_and_the_state_knows_of_none() {
    byte[] before = pages.digest();
    table.add(
        new CronEntry(
            1,
            _ -> {
              nowNanos += 100 * MILLI;
              return true;
            },
            _ -> {}));
    add(2, 50, false);

    ticks(1, 1);

    assertThat(budget.overruns()).containsOnlyKeys(new RequestTrail.WriteSource.Entry(OURS, 2));
    assertThat(pages.digest()).isEqualTo(before);
  }

  @Test
  void cc_l5_an_action_that_does_not_end_is_counted_and_named_while_it_is_under_way() {
    Step look = budget.step();
    List<String> seen = new ArrayList<>();
    table.add(
        new CronEntry(
            3,
            _ -> true,
            _ -> {
              look.runOnce();
              seen.add(budget.underWay().orElseThrow() + ": " + budget.count());
              nowNanos += 11 * MILLI;
              look.runOnce();
              look.runOnce();
              seen.add(budget.underWay().orElseThrow() + ": " + budget.count());
            }));

    ticks(1, 1);
    look.runOnce();

    assertThat(seen)
        .containsExactly("position 3 of component 7: 0", "position 3 of component 7: 1");
    assertThat(budget.count()).isEqualTo(1);
    assertThat(budget.overruns())
        .isEqualTo(Map.of(new RequestTrail.WriteSource.Entry(OURS, 3), 1L));
    assertThat(budget.underWay()).isEmpty();
  }

  @Test
  void where_an_error_went_up_stays_known() {
    table.add(
        new CronEntry(
            4,
            _ -> true,
            _ -> {
              throw new StackOverflowError("injected");
            }));

    assertThatThrownBy(() -> ticks(1, 1)).isInstanceOf(StackOverflowError.class);

    assertThat(budget.underWay()).hasValue("position 4 of component 7");
  }

  @Test
  void everything_is_passed_on() {
    add(1, 100, false);
    add(2, 1, true);

    ticks(1, 1);

    assertThat(passedOn).containsExactly("began 1", "ended 1", "began 2", "failed 2", "ended 2");
  }

  @Test
  void so_many_entries_are_named_and_all_are_counted() {
    for (int position = 0; position < ActionBudget.MOST_ENTRIES + 10; position++) {
      add(position, 20, false);
    }

    ticks(1, 2);

    assertThat(budget.count()).isEqualTo(2 * (ActionBudget.MOST_ENTRIES + 10));
    assertThat(budget.overruns()).hasSize(ActionBudget.MOST_ENTRIES);
  }

  @Test
  void a_budget_is_more_than_nothing() {
    assertThatThrownBy(() -> new ActionBudget(Duration.ZERO, () -> 0, CronListener.NONE))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
