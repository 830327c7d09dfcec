package io.kairos.edge.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReservedKeysTest {
  private static CallerConfig caller(String name, String beginning) {
    String hash = (name.equals("first") ? "ab" : "cd").repeat(32);
    return new CallerConfig(name, hash, Set.of(CallerRole.SUBMIT), Set.of(beginning));
  }

  private static HttpConfig config(CallerConfig... callers) {
    return HttpConfig.of(InetAddress.getLoopbackAddress(), 0, 1_000, List.of(callers));
  }

  @Test
  void replicas_with_a_token_each_share_the_keys_of_their_cluster() {
    HttpConfig config = config(caller("first", "night/"), caller("second", "night/"));

    KnownCallers known = new KnownCallers(config.callers());

    assertThat(known.othersKeys(config.callers().getFirst())).isEmpty();
  }

  @Test
  void keys_that_begin_as_those_of_another_caller_are_refused() {
    assertThatThrownBy(() -> config(caller("first", "night"), caller("second", "night/")))
        .hasMessageContaining("http.callers.second.reserved-keys: 'night/'");
    assertThatThrownBy(() -> config(caller("first", " ")))
        .hasMessageContaining("must have a letter");
  }
}
