package io.kairos.domain.cron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.page.PageArea;
import io.kairos.domain.page.PageId;
import io.kairos.domain.page.ReservedPages;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CronTableTest {
  private static final ComponentId OURS = new ComponentId(7);
  private static final Tick TICK = new Tick(OURS, 100, AgreedTime.OFF);
  private static final PageId PAGE = new PageId(PageArea.USER, 7, 0);

  private final ReservedPages pages = new ReservedPages(1 << 22);
  private final List<String> heard = new ArrayList<>();
  private final CronTable table =
      new CronTableRegistry(
              pages,
              new CronListener() {
                @Override
                public void began(ComponentId component, CronEntry entry) {
                  heard.add("began " + entry.position());
                }

                @Override
                public void ended(ComponentId component, CronEntry entry) {
                  heard.add("ended " + entry.position());
                }

                @Override
                public void failed(
                    ComponentId component, int position, EntryCallback callback, Throwable thrown) {
                  heard.add(callback + " " + position + ": " + thrown.getMessage());
                }
              })
          .table(OURS);
  private final List<String> done = new ArrayList<>();

  private CronEntry entry(int position, boolean due) {
    return new CronEntry(
        position,
        _ -> {
          done.add("rule " + position);
          return due;
        },
        _ -> done.add("action " + position),
        _ -> done.add("next " + position),
        (component, removed) -> done.add("removed " + component.value() + "/" + removed));
  }

  /** An entry of which one callback writes to a page and throws. */
  private CronEntry throwing(int position, EntryCallback where) {
    return new CronEntry(
        position,
        _ -> at(EntryCallback.RULE, where),
        _ -> at(EntryCallback.ACTION, where),
        _ -> at(EntryCallback.SCHEDULE_NEXT, where),
        (_, _) -> at(EntryCallback.ON_REMOVE, where));
  }

  private boolean at(EntryCallback callback, EntryCallback where) {
    done.add(callback + "");
    if (callback == where) {
      pages.write(PAGE, new byte[] {1});
      throw new IllegalArgumentException("on purpose");
    }
    return true;
  }

  @Test
  void cc1_entries_are_evaluated_by_position_whatever_their_order_of_adding() {
    table.add(entry(5, false));
    table.add(entry(0, false));
    table.add(entry(Integer.MAX_VALUE, false));
    table.add(entry(3, false));

    assertThat(table.evaluate(TICK)).isEqualTo(new TickEvaluation.Done(4, 0, 0));
    assertThat(done).containsExactly("rule 0", "rule 3", "rule 5", "rule " + Integer.MAX_VALUE);
  }

  @Test
  void cc2_cc3_an_entry_that_is_not_due_does_nothing_and_one_that_is_does_both() {
    table.add(entry(1, false));
    table.add(entry(2, true));
    table.add(new CronEntry(3, _ -> true, _ -> done.add("action 3")));

    assertThat(table.evaluate(TICK)).isEqualTo(new TickEvaluation.Done(3, 2, 0));
    assertThat(done).containsExactly("rule 1", "rule 2", "next 2", "action 2", "action 3");
  }

  @Test
  void cc4_the_next_time_is_noted_before_the_action_and_both_before_the_next_rule() {
    table.add(entry(1, true));
    table.add(entry(2, true));

    table.evaluate(TICK);

    assertThat(done)
        .containsExactly("rule 1", "next 1", "action 1", "rule 2", "next 2", "action 2");
  }

  @Test
  void cc4_later_rules_see_earlier_effects() {
    table.add(new CronEntry(1, _ -> true, _ -> pages.write(PAGE, new byte[] {1})));
    table.add(new CronEntry(2, _ -> pages.read(PAGE).isPresent(), _ -> done.add("seen")));

    table.evaluate(TICK);

    assertThat(done).containsExactly("seen");
  }

  @Test
  void cc5_a_tick_of_another_component_is_ignored() {
    table.add(entry(1, true));

    assertThat(table.evaluate(new Tick(new ComponentId(8), 1, AgreedTime.OFF)))
        .isEqualTo(TickEvaluation.IGNORED);
    assertThat(done).isEmpty();
  }

  @Test
  void cc6_an_entry_that_is_removed_is_told_once() {
    table.add(entry(4, true));

    assertThat(table.remove(4)).isTrue();
    assertThat(table.remove(4)).isFalse();
    assertThat(done).containsExactly("removed 7/4");
    assertThat(table.evaluate(TICK)).isEqualTo(new TickEvaluation.Done(0, 0, 0));
  }

  @Test
  void cc7_when_all_are_removed_each_is_told_in_order() {
    table.add(entry(9, true));
    table.add(new CronEntry(5, _ -> true, _ -> {}));
    table.add(entry(2, true));

    assertThat(table.removeAll()).isEqualTo(3);
    assertThat(done).containsExactly("removed 7/2", "removed 7/9");
    assertThat(table.count()).isZero();
    assertThat(table.removeAll()).isZero();
  }

  @Test
  void cc8_a_table_can_be_asked_what_it_has() {
    CronEntry two = entry(2, true);
    assertThat(table.count()).isZero();
    table.add(two);
    table.add(entry(1, true));

    assertThat(table.component()).isEqualTo(OURS);
    assertThat(table.find(2)).containsSame(two);
    assertThat(table.find(3)).isEmpty();
    assertThat(table.count()).isEqualTo(2);
    assertThat(table.find(1)).isPresent();
  }

  @Test
  void cc9_a_position_that_is_taken_is_refused_and_the_first_stays() {
    CronEntry first = entry(1, true);
    table.add(first);

    assertThatThrownBy(() -> table.add(entry(1, true)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("position 1 of component 7 is taken; replace() replaces");
    assertThat(table.find(1)).containsSame(first);
  }

  @Test
  void cc9_replacing_is_said_and_removes_what_was_there() {
    CronEntry first = entry(1, true);
    CronEntry second = entry(1, true);

    assertThat(table.replace(first)).isEmpty();
    assertThat(table.replace(second)).containsSame(first);
    assertThat(done).containsExactly("removed 7/1");
    assertThat(table.find(1)).containsSame(second);
  }

  @Test
  void cc10_a_rule_that_throws_counts_as_no_and_the_table_goes_on() {
    table.add(throwing(1, EntryCallback.RULE));
    table.add(entry(2, true));

    assertThat(table.evaluate(TICK)).isEqualTo(new TickEvaluation.Done(2, 1, 1));
    assertThat(done).containsExactly("RULE", "rule 2", "next 2", "action 2");
  }

  @Test
  void cc10_without_a_next_time_no_action() {
    table.add(throwing(1, EntryCallback.SCHEDULE_NEXT));
    table.add(entry(2, true));

    assertThat(table.evaluate(TICK)).isEqualTo(new TickEvaluation.Done(2, 1, 1));
    assertThat(done).containsExactly("RULE", "SCHEDULE_NEXT", "rule 2", "next 2", "action 2");
    assertThat(pages.read(PAGE)).isEmpty();
  }

  @Test
  void cc10_what_a_throwing_action_wrote_is_taken_back_and_its_next_time_stands() {
    table.add(throwing(1, EntryCallback.ACTION));

    assertThat(table.evaluate(TICK)).isEqualTo(new TickEvaluation.Done(1, 0, 1));
    assertThat(done).containsExactly("RULE", "SCHEDULE_NEXT", "ACTION");
    assertThat(pages.read(PAGE)).isEmpty();
  }

  @Test
  void cc10_an_entry_that_throws_when_it_is_removed_is_removed() {
    table.add(throwing(1, EntryCallback.ON_REMOVE));
    table.add(throwing(2, EntryCallback.ON_REMOVE));

    assertThat(table.remove(1)).isTrue();
    assertThat(table.removeAll()).isEqualTo(1);
    assertThat(table.count()).isZero();
    assertThat(pages.read(PAGE)).isEmpty();
    assertThat(table.failures())
        .containsExactly(
            new EntryFailure(
                1, EntryCallback.ON_REMOVE, 1, 0, "java.lang.IllegalArgumentException"),
            new EntryFailure(
                2, EntryCallback.ON_REMOVE, 1, 0, "java.lang.IllegalArgumentException"));
  }

  @ParameterizedTest
  @EnumSource(names = "ON_REMOVE", mode = EnumSource.Mode.EXCLUDE)
  void cc10_failures_are_recorded_in_the_state_and_outlive_the_table(EntryCallback where) {
    table.add(throwing(3, where));

    table.evaluate(TICK);
    table.evaluate(new Tick(OURS, 105, AgreedTime.OFF));

    CronTable later = new CronTableRegistry(pages, CronListener.NONE).table(OURS);
    assertThat(later.failureCount()).isEqualTo(2);
    assertThat(later.failures())
        .containsExactly(new EntryFailure(3, where, 2, 105, "java.lang.IllegalArgumentException"));
  }

  @Test
  void cc10_the_last_48_positions_that_failed_are_listed_and_all_are_counted() {
    for (int position = 0; position < 60; position++) {
      table.add(throwing(position, EntryCallback.ACTION));
    }

    assertThat(table.evaluate(TICK)).isEqualTo(new TickEvaluation.Done(60, 0, 60));
    assertThat(table.failureCount()).isEqualTo(60);
    assertThat(table.failures()).hasSize(48).extracting(EntryFailure::position).contains(59);
    assertThat(pages.owned(PageArea.FAILURES, 7)).hasSize(1);
  }

  @Test
  void cc10_a_long_name_of_an_exception_is_cut_off() {
    table.add(
        new CronEntry(
            1,
            _ -> true,
            _ -> {
              throw new AnExceptionWithANameThatIsRatherMuchTooLongForAnyReservedPageToKeepItWhole();
            }));

    table.evaluate(TICK);

    assertThat(table.failures().getFirst().kind())
        .hasSize(60)
        .startsWith("io.kairos.domain.cron.CronTableTest$AnExceptionWith");
  }

  private static final
  class AnExceptionWithANameThatIsRatherMuchTooLongForAnyReservedPageToKeepItWhole
      extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  @Test
  void cc10_the_message_is_for_the_local_listener_and_no_part_of_the_state() {
    table.add(throwing(1, EntryCallback.ACTION));
    table.add(entry(2, true));

    table.evaluate(TICK);

    assertThat(heard)
        .containsExactly("began 1", "ACTION 1: on purpose", "ended 1", "began 2", "ended 2");
    assertThat(new String(pages.snapshot().encode(), StandardCharsets.US_ASCII))
        .contains("IllegalArgumentException")
        .doesNotContain("on purpose");
  }

  @Test
  void cc10_an_error_is_not_caught() {
    table.add(
        new CronEntry(
            1,
            _ -> true,
            _ -> {
              throw new StackOverflowError();
            }));

    assertThatThrownBy(() -> table.evaluate(TICK)).isInstanceOf(StackOverflowError.class);
  }

  @Test
  void cc11_without_on_remove_what_an_entry_kept_stays() {
    table.add(new CronEntry(1, _ -> true, _ -> {}, _ -> pages.write(PAGE, new byte[] {1}), null));
    table.evaluate(TICK);

    table.remove(1);

    assertThat(pages.read(PAGE)).isPresent();
  }

  @Test
  void an_action_may_change_its_table_and_what_lies_behind_it_is_seen_at_once() {
    table.add(entry(1, true));
    table.add(
        new CronEntry(
            5,
            _ -> true,
            _ -> {
              if (table.find(8).isPresent()) {
                table.remove(8);
                table.remove(5);
                table.add(entry(3, true));
                table.add(entry(7, true));
              }
            }));
    table.add(entry(8, true));
    table.add(entry(9, false));

    table.evaluate(TICK);
    assertThat(done)
        .containsExactly(
            "rule 1",
            "next 1",
            "action 1",
            "removed 7/8",
            "rule 7",
            "next 7",
            "action 7",
            "rule 9");

    done.clear();
    table.evaluate(TICK);
    assertThat(done)
        .containsExactly(
            "rule 1",
            "next 1",
            "action 1",
            "rule 3",
            "next 3",
            "action 3",
            "rule 7",
            "next 7",
            "action 7",
            "rule 9");
  }

  @Test
  void a_tick_has_no_tick_inside() {
    table.add(new CronEntry(1, _ -> true, table::evaluate));

    assertThat(table.evaluate(TICK)).isEqualTo(new TickEvaluation.Done(1, 0, 1));
    assertThat(heard).anyMatch(line -> line.contains("a tick has no tick inside"));
    assertThat(table.evaluate(TICK)).isEqualTo(new TickEvaluation.Done(1, 0, 1));
  }

  @Test
  void cc18_rules_may_use_the_sequence_and_what_the_state_says() {
    long[] everyTenFrom = {105};
    table.add(
        new CronEntry(
            1,
            tick -> tick.sequence() >= everyTenFrom[0],
            tick -> done.add("ran at " + tick.sequence()),
            tick -> everyTenFrom[0] = tick.sequence() + 10,
            null));

    for (long sequence = 100; sequence < 130; sequence++) {
      table.evaluate(new Tick(OURS, sequence, AgreedTime.OFF));
    }

    assertThat(done).containsExactly("ran at 105", "ran at 115", "ran at 125");
  }

  @Test
  void cc13_components_are_numbers_of_32_bits_and_positions_begin_at_0() {
    assertThat(new ComponentId(4_294_967_295L)).hasToString("component 4294967295");
    assertThatThrownBy(() -> new ComponentId(4_294_967_296L)).hasMessageContaining("4294967295");
    assertThatThrownBy(() -> new ComponentId(-1)).hasMessageContaining("-1");
    assertThatThrownBy(() -> new CronEntry(-1, _ -> true, _ -> {})).hasMessageContaining("-1");
  }

  @Test
  void cc13_agreed_time_has_whole_milliseconds() {
    assertThat(AgreedTime.at(1_500).instant()).isEqualTo("1970-01-01T00:00:01.500Z");
    assertThatThrownBy(() -> new AgreedTime.At(Instant.parse("2026-11-22T10:00:00.000001Z")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> AgreedTime.at(Long.MAX_VALUE))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
