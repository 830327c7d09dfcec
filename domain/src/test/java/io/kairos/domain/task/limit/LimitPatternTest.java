package io.kairos.domain.task.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LimitPatternTest {
  private static final LimitName ACME = new LimitName("tenant:acme");

  private static Optional<String> ofAcme(String... patterns) {
    return LimitPattern.of(ACME, List.of(patterns).stream().map(LimitPattern::new).toList())
        .map(LimitPattern::value);
  }

  @Test
  void a_limit_of_just_the_name_goes_first_and_then_the_longest_pattern() {
    assertThat(ofAcme("tenant:*", "tenant:ac*", "tenant:acme")).contains("tenant:acme");
    assertThat(ofAcme("tenant:*", "tenant:ac*", "tenant:b*")).contains("tenant:ac*");
    assertThat(ofAcme("tenant:acme*", "tenant:acme")).contains("tenant:acme");
    assertThat(ofAcme("tenant:acm", "api:*")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "*", "a b", "a*b", "a**", "é"})
  void what_no_name_can_begin_with_is_refused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LimitPattern(text))
        .withMessageContaining(LimitPattern.RULE);
  }

  @Test
  void names_of_a_task_are_sorted_and_stored_as_one_text() {
    TaskLimits limits = TaskLimits.of(List.of("b", "a:1", "b"));

    assertThat(limits.names()).containsExactly(new LimitName("a:1"), new LimitName("b"));
    assertThat(TaskLimits.ofStored(limits.stored())).isEqualTo(limits);
    assertThat(TaskLimits.NONE.stored()).isNull();
    assertThat(TaskLimits.ofStored(null)).isSameAs(TaskLimits.NONE);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TaskLimits.of(List.of("a", "b", "c", "d")));
  }
}
