package io.kairos.edge.caller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReservedKeysTest {
  private static CallerConfig caller(String name, String beginning) {
    return new CallerConfig(name, Hashes.of(name), Set.of(CallerRole.SUBMIT), Set.of(beginning));
  }

  private static List<CallerConfig> config(CallerConfig... callers) {
    return CallersConfig.of(List.of(callers)).callers();
  }

  @Test
  void replicas_with_a_token_each_share_the_keys_of_their_cluster() {
    List<CallerConfig> all = config(caller("first", "night/"), caller("second", "night/"));

    assertThat(Caller.of("first", all.subList(0, 1), all).othersKeys()).isEmpty();
  }

  @Test
  void keys_that_begin_as_those_of_another_caller_are_refused() {
    assertThatThrownBy(() -> config(caller("first", "night"), caller("second", "night/")))
        .hasMessageContaining("http.callers.second.reserved-keys: 'night/'");
    assertThatThrownBy(() -> config(caller("first", " ")))
        .hasMessageContaining("must have a letter");
  }

  @Test
  void a_caller_whom_nothing_could_show_is_refused() {
    assertThatThrownBy(() -> config(caller("first", "night/").withClaims()))
        .hasMessageContaining(
            "http.callers.first can be nobody: give it a token-sha256, claims or certificates");
    assertThatThrownBy(() -> config(caller("first", "night/").withClaims("corp/ops")))
        .hasMessageContaining("'corp/ops' must be the name of an issuer of http.issuers");
  }
}
