package io.kairos.fuzzing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Parsers that break must be found by the short run. */
class ParserFuzzTest {
  private static volatile byte[] held = {};

  private static void number(String text) {
    if (text.contains("--")) {
      throw new IndexOutOfBoundsException("two signs");
    }
    Long.parseLong(text.strip());
  }

  @Test
  void a_parser_that_takes_or_refuses_everything_passes() {
    ParserFuzz.text("number", text -> Long.parseLong(text.strip()))
        .refusing(NumberFormatException.class)
        .run(false);
  }

  @Test
  void another_exception_is_found_and_named_with_seed_and_input() {
    assertThatThrownBy(() ->
            ParserFuzz.text("number", ParserFuzzTest::number)
                .refusing(NumberFormatException.class)
                .run(false))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("number, seed 1, input ")
        .hasMessageContaining("two signs")
        .hasMessageContaining("in base64: ");
  }

  @Test
  void an_error_is_found() {
    assertThatThrownBy(() -> ParserFuzz.bytes("number", input -> deeper(input.length)).run(false))
        .hasMessageContaining("StackOverflowError");
  }

  private static int deeper(int depth) {
    return depth > 30 ? 1 + deeper(depth + 1) : depth;
  }

  @Test
  void memory_beyond_the_bound_is_found() {
    assertThatThrownBy(() ->
            ParserFuzz.bytes("number", input -> held = new byte[input.length > 30 ? 2 << 20 : 1])
                .allocating(1)
                .run(false))
        .hasMessageContaining("bytes, allowed are 1,048,576");
    assertThat(held).isNotEmpty();
  }

  @Test
  void a_hang_is_found_by_the_processor_time_that_it_uses() {
    assertThatThrownBy(() ->
            ParserFuzz.bytes(
                    "number",
                    input -> {
                      for (int i = 1; input.length > 30 && i != 0; i += 2) {
                        Thread.onSpinWait();
                      }
                    })
                .within(Duration.ofMillis(300))
                .run(false))
        .hasMessageContaining("of processor time");
  }

  @Test
  void a_seed_gives_the_same_mutations_and_no_input_is_changed() {
    FuzzCorpus corpus = FuzzCorpus.of("number");
    ByteMutator one = new ByteMutator(7, corpus.words());
    ByteMutator two = new ByteMutator(7, corpus.words());
    String before = base64(corpus.inputs());

    for (int i = 0; i < 1_000; i++) {
      byte[] made = one.next(corpus.inputs());
      assertThat(made).isEqualTo(two.next(corpus.inputs()));
      assertThat(made.length).isLessThanOrEqualTo(ByteMutator.MOST_BYTES);
    }
    assertThat(base64(corpus.inputs())).isEqualTo(before);
  }

  private static String base64(List<byte[]> inputs) {
    return String.join(" ", inputs.stream().map(Base64.getEncoder()::encodeToString).toList());
  }
}
