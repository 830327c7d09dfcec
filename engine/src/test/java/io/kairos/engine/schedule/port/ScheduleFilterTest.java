package io.kairos.engine.schedule.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ScheduleFilterTest {
  private static List<String> beginnings(String prefix, String... patterns) {
    return new ScheduleFilter(prefix, Set.of(patterns), null, Set.of(), null, 1).beginnings();
  }

  @Test
  void without_patterns_names_begin_with_the_prefix() {
    assertThat(beginnings("")).containsExactly("");
    assertThat(beginnings("a/")).containsExactly("a/");
  }

  @Test
  void names_begin_with_what_precedes_the_first_star() {
    assertThat(beginnings("", "night-*-eu", "day")).containsExactly("day", "night-");
    assertThat(beginnings("", "night-*", "*-eu")).containsExactly("");
  }

  @Test
  void a_beginning_that_begins_with_another_is_part_of_it() {
    assertThat(beginnings("", "a/b*", "a/*", "a/b/c")).containsExactly("a/");
  }

  @Test
  void what_does_not_fit_the_prefix_cannot_be_found() {
    assertThat(beginnings("night", "night-*", "n*", "day*")).containsExactly("night");
    assertThat(beginnings("night", "night-eu*", "day*")).containsExactly("night-eu");
    assertThat(beginnings("night", "day*")).isEmpty();
  }
}
