package io.kairos.edge.caller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.kairos.edge.caller.Recognition.Known;
import io.kairos.edge.caller.Recognition.Wrong;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KnownCallersTest {
  private static final Instant START = Instant.parse("2026-11-26T12:00:00Z");

  @TempDir private Path folder;
  private Instant now = START;

  private CallersConfig config(Path file) {
    CallerConfig ci = new CallerConfig("ci", Hashes.of("fixed"), Set.of(CallerRole.SUBMIT));
    return new CallersConfig(Optional.of(file), List.of(ci), List.of());
  }

  private KnownCallers open(Path file) {
    return new KnownCallers(config(file), () -> now, () -> 0);
  }

  private static Recognition of(KnownCallers callers, String token) {
    return callers.of(
        ServiceRequestContext.of(HttpRequest.of(HttpMethod.GET, "/")), "Bearer " + token);
  }

  private Path file(String... lines) throws IOException {
    return Files.write(folder.resolve("tokens"), List.of(lines));
  }

  /** Two looks have to find the same. */
  private static void look(KnownCallers callers) {
    callers.upkeep().getFirst().runOnce();
    callers.upkeep().getFirst().runOnce();
  }

  @Test
  void a_file_that_is_still_being_written_changes_nothing() throws Exception {
    Path file = file("ci " + Hashes.of("a"), "ci " + Hashes.of("b"));
    KnownCallers callers = open(file);

    file("ci " + Hashes.of("a"));
    callers.upkeep().getFirst().runOnce();
    assertThat(of(callers, "b")).isInstanceOf(Known.class);
    file("ci " + Hashes.of("a"), "ci " + Hashes.of("b"), "ci " + Hashes.of("c"));
    callers.upkeep().getFirst().runOnce();
    assertThat(of(callers, "c")).isInstanceOf(Wrong.class);
    callers.upkeep().getFirst().runOnce();

    assertThat(of(callers, "b")).isInstanceOf(Known.class);
    assertThat(of(callers, "c")).isInstanceOf(Known.class);
  }

  @Test
  void a_token_is_replaced_a_hundred_times_and_always_one_of_two_is_right() throws Exception {
    Path file = file("ci " + Hashes.of("token 0"));
    KnownCallers callers = open(file);
    for (int i = 1; i <= 100; i++) {
      String before = "token " + (i - 1);
      String after = "token " + i;
      file("ci " + Hashes.of(before), "ci " + Hashes.of(after));
      look(callers);
      assertThat(of(callers, before)).isInstanceOf(Known.class);
      file("ci " + Hashes.of(after));
      look(callers);

      assertThat(of(callers, after)).isInstanceOf(Known.class);
      assertThat(of(callers, before))
          .isEqualTo(Wrong.unknown("the token is unknown: no caller has it"));
      assertThat(of(callers, "fixed")).isInstanceOf(Known.class);
    }
  }

  @Test
  void a_token_that_has_expired_says_so() throws Exception {
    KnownCallers callers = open(file("ci " + Hashes.of("short") + " 2026-11-26T12:00:10Z"));

    now = START.plusSeconds(10);
    assertThat(of(callers, "short")).isInstanceOf(Known.class);
    now = START.plusSeconds(11);
    assertThat(of(callers, "short"))
        .isEqualTo(Wrong.expired("the token of ci has expired, at 2026-11-26T12:00:10Z"));
  }

  @Test
  void garbage_and_a_missing_file_change_nothing() throws Exception {
    Path file = file("ci " + Hashes.of("t"));
    KnownCallers callers = open(file);

    for (String garbage : List.of("", "garbage", "nobody " + Hashes.of("x"))) {
      Files.writeString(file, garbage.isEmpty() ? "ci" : garbage);
      look(callers);
      assertThat(of(callers, "t")).isInstanceOf(Known.class);
      assertThat(of(callers, "x")).isInstanceOf(Wrong.class);
    }
    Files.delete(file);
    look(callers);
    assertThat(of(callers, "t")).isInstanceOf(Known.class);
    file("ci " + Hashes.of("y"));
    look(callers);
    assertThat(of(callers, "y")).isInstanceOf(Known.class);
    assertThat(of(callers, "t")).isInstanceOf(Wrong.class);
  }

  @Test
  void a_file_that_cannot_be_used_does_not_start() throws Exception {
    assertThatThrownBy(() -> open(folder.resolve("missing")))
        .isInstanceOf(UnusableCredentialsException.class)
        .hasMessageContaining("http.tokens-file: ")
        .hasMessageContaining("NoSuchFileException");
    Path file = file("ci");
    assertThatThrownBy(() -> open(file)).hasMessageContaining("line 1: must be the name");
  }

  @Test
  void a_token_of_the_configuration_is_not_another_callers_in_the_file() throws Exception {
    Path file = file("ci " + Hashes.of("fixed"));

    assertThatThrownBy(() -> open(file))
        .hasMessageContaining("a token of ci is the token-sha256 of a caller");
  }

  @Test
  void a_caller_has_its_name_roles_and_names() throws Exception {
    CallerScope scope = new CallerScope(Set.of("a"), Set.of(), Set.of(), Set.of(), Set.of());
    CallerConfig one = new CallerConfig("one", Hashes.of("1"), Set.of(CallerRole.READ));
    KnownCallers callers =
        new KnownCallers(CallersConfig.of(List.of(one.within(scope))), () -> now, () -> 0);

    assertThat(of(callers, "1"))
        .isInstanceOfSatisfying(
            Known.class,
            known -> {
              assertThat(known.caller().name()).isEqualTo("one");
              assertThat(known.caller().scope(CallerRole.READ)).isEqualTo(scope);
            });
    assertThat(callers.upkeep()).isEmpty();
    assertThat(
            callers.of(ServiceRequestContext.of(HttpRequest.of(HttpMethod.GET, "/")), "Basic YTpi"))
        .isInstanceOf(Recognition.Missing.class);
  }
}
