package io.kairos.edge.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CallerBudgetTest {
  private final CallerBudget room = new CallerBudget(4);

  @Test
  void a_caller_that_floods_meets_its_own_bound_and_leaves_room_for_another() {
    assertThat(room.take("flood", 2)).isTrue();
    assertThat(room.take("flood", 1)).isFalse();
    assertThat(room.hasRoom("flood")).isFalse();
    assertThat(room.take("operator", 1)).isTrue();

    room.giveBack("flood", 1);

    assertThat(room.take("flood", 1)).isTrue();
  }

  @Test
  void all_callers_together_have_a_bound() {
    for (String caller : List.of("a", "b", "c", "d")) {
      assertThat(room.take(caller, 1)).isTrue();
    }
    assertThat(room.take("e", 1)).isFalse();
    assertThat(room.hasRoom("e")).isTrue();

    room.giveBack("a", 1);

    assertThat(room.take("e", 1)).isTrue();
  }

  @Test
  void strangers_leave_room_for_each_other_and_for_those_who_are_known() {
    Stranger flood = new Stranger("10.0.0.1");
    CallerBudget budget = new CallerBudget(8);

    assertThat(budget.take(flood, 2)).isTrue();
    assertThat(budget.take(flood, 1)).isFalse();
    assertThat(budget.take(new Stranger("10.0.0.2"), 2)).isTrue();
    assertThat(budget.hasRoom(new Stranger("10.0.0.3"))).isFalse();
    assertThat(budget.take(new Stranger("10.0.0.3"), 1)).isFalse();
    assertThat(budget.take("known", 4)).isTrue();

    budget.giveBack(flood, 2);

    assertThat(budget.take(new Stranger("10.0.0.3"), 2)).isTrue();
  }
}
