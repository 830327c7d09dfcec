package io.kairos.edge.caller;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.api.v1.Access.Kind;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CallerScopeTest {
  private static CallerScope handlers(String... patterns) {
    return new CallerScope(Set.of(patterns), Set.of(), Set.of(), Set.of(), Set.of());
  }

  @ParameterizedTest
  @CsvSource({
    "mail, mail, true",
    "mail, mails, false",
    "mail, Mail, false",
    "mail-*, mail-1, true",
    "mail-*, mail-, true",
    "mail-*, mail, false",
    "*-mail, a-mail, true",
    "*-mail, -mail, true",
    "*-mail, mail, false",
    "a*b, ab, true",
    "a*b, a, false",
    "ab*ba, aba, false",
    "ab*ba, abba, true",
    "a*b*c, axbxc, true",
    "a*b*c, axcxb, false",
    "a*b*c, abbc, true",
    "*, anything, true",
    "a.c, abc, false",
    "**, x, true",
  })
  void a_star_stands_for_any_characters_and_all_others_for_themselves(
      String pattern, String name, boolean covered) {
    assertThat(handlers(pattern).covers(Kind.HANDLER, name)).isEqualTo(covered);
  }

  @Test
  void without_patterns_all_names_are_covered_and_with_one_no_others() {
    assertThat(CallerScope.WHOLE.covers(Kind.TOPIC, "orders")).isTrue();
    assertThat(handlers("mail").covers(Kind.TOPIC, "orders")).isFalse();
    assertThat(handlers("mail").covers(Kind.KIND_UNSPECIFIED, "mail")).isFalse();
  }

  @Test
  void the_queue_of_a_pool_is_the_pools_and_no_handlers() {
    CallerScope pools = new CallerScope(Set.of(), Set.of("hooks"), Set.of(), Set.of(), Set.of());

    assertThat(pools.covers(Kind.HANDLER, "pool:hooks")).isTrue();
    assertThat(pools.covers(Kind.HANDLER, "hooks")).isFalse();
    assertThat(handlers("*").covers(Kind.HANDLER, "pool:hooks")).isFalse();
  }

  @Test
  void several_roles_give_their_own_names_each_and_an_admins_to_all() {
    CallerConfig reader =
        new CallerConfig("r", "", Set.of(CallerRole.READ)).within(handlers("r-*"));
    CallerConfig admin = new CallerConfig("a", "", Set.of(CallerRole.ADMIN)).within(handlers("a"));
    List<CallerConfig> all = List.of(reader, admin);

    Caller both = Caller.of("x", all, all);

    assertThat(both.scope(CallerRole.READ)).isEqualTo(handlers("r-*", "a"));
    assertThat(both.scope(CallerRole.SUBMIT)).isEqualTo(handlers("a"));
    assertThat(Caller.of("x", List.of(reader), all).scope(CallerRole.SUBMIT)).isNull();
    assertThat(new Caller("x", Map.of(), List.of()).scope(CallerRole.READ)).isNull();
  }
}
