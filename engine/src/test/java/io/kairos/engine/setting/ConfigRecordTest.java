package io.kairos.engine.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ConfigRecordTest {
  enum Colour {
    RED,
    DARK_BLUE
  }

  record Inner(@Setting(defaultValue = "2", description = "Not for the operator.") long two) {}

  record Absent(@Setting(key = "a.absent", required = true, description = "Absent.") String text) {}

  record Listed(String name, @Setting(key = "a.<name>.b", description = "B.") String text) {}

  record Everything(
      @Setting(key = "a.text", description = "A text.") String text,
      @Setting(key = "a.flag", defaultValue = "true", description = "A flag.") boolean flag,
      @Setting(key = "a.number", defaultValue = "7", max = "9", description = "A number.")
          int number,
      @Setting(
              key = "a.length",
              defaultValue = "1.5s",
              min = "1s",
              otherwise = "nothing is seen",
              description = "A duration.")
          Duration length,
      @Setting(
              key = "a.size",
              defaultValue = "4MiB",
              format = ValueFormats.IntSize.class,
              shrinks = true,
              description = "A size.")
          int size,
      @Setting(key = "a.colour", defaultValue = "dark-blue", description = "A word.") Colour colour,
      @Setting(key = "a.colours", defaultValue = "dark-blue, red", description = "Words.")
          Set<Colour> colours,
      @Setting(key = "a.texts", description = "Texts.") List<String> texts,
      @Setting(key = "a.perhaps", description = "Perhaps.") Optional<Duration> perhaps,
      @Setting(key = "a.library.*", description = "Of a library.") Map<String, String> library,
      Inner inner,
      Optional<Absent> absent,
      List<Listed> listed) {
    Everything {
      ConfigRecord.check(
          Everything.class,
          text,
          flag,
          number,
          length,
          size,
          colour,
          colours,
          texts,
          perhaps,
          library,
          inner,
          absent,
          listed);
    }

    Everything with(int otherNumber, Duration otherLength, int otherSize) {
      return new Everything(
          text,
          flag,
          otherNumber,
          otherLength,
          otherSize,
          colour,
          colours,
          texts,
          perhaps,
          library,
          inner,
          absent,
          listed);
    }
  }

  record Forgetful(@Setting(defaultValue = "1", description = "One.") int one) {
    Forgetful {
      ConfigRecord.check(Forgetful.class);
    }
  }

  private static final Everything DEFAULTS = ConfigRecord.defaults(Everything.class);

  @Test
  void every_type_has_the_default_that_is_declared() {
    assertThat(DEFAULTS)
        .isEqualTo(
            new Everything(
                "",
                true,
                7,
                Duration.ofMillis(1_500),
                4 << 20,
                Colour.DARK_BLUE,
                Set.of(Colour.RED, Colour.DARK_BLUE),
                List.of(),
                Optional.empty(),
                Map.of(),
                new Inner(2),
                Optional.empty(),
                List.of()));
  }

  @Test
  void what_is_out_of_bounds_is_named_with_its_key_its_value_and_the_reason() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DEFAULTS.with(10, DEFAULTS.length, DEFAULTS.size))
        .withMessage("a.number is 10: it must be a whole number of at most 9");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DEFAULTS.with(7, Duration.ofMillis(999), DEFAULTS.size))
        .withMessage(
            "a.length is PT0.999S: it must be a duration of at least PT1S, or nothing is seen");
  }

  @Test
  void durations_and_sizes_are_never_negative() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DEFAULTS.with(7, Duration.ofSeconds(-1), DEFAULTS.size));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DEFAULTS.with(7, DEFAULTS.length, -1))
        .withMessageStartingWith("a.size is -1");
    assertThat(DEFAULTS.with(-7, DEFAULTS.length, 0).number).isEqualTo(-7);
  }

  @Test
  void a_default_shrinks_with_the_heap() {
    DeclaredSetting size = ConfigRecord.of(Everything.class).settings().get(4);

    assertThat(size.defaultValue(2L << 30)).isEqualTo("4MiB");
    assertThat(size.defaultValue(1L << 29)).isEqualTo(Integer.toString(2 << 20));
    assertThat(size.defaultValue(1)).isEqualTo(Integer.toString(1 << 20));
  }

  @Test
  void a_constructor_that_forgets_a_component_is_found_at_once() {
    assertThatIllegalStateException().isThrownBy(() -> new Forgetful(1));
  }
}
