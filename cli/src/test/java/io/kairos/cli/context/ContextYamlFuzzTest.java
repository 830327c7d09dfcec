package io.kairos.cli.context;

import io.kairos.fuzzing.ParserFuzz;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Files of contexts. */
class ContextYamlFuzzTest {
  @TestFactory
  Stream<DynamicTest> every_file_is_read_or_refused() {
    return Stream.of(
        ParserFuzz.text("contexts", ContextYamlFuzzTest::read)
            .refusing(IllegalArgumentException.class)
            .test());
  }

  private static void read(String text) {
    Contexts contexts = ContextYaml.read(text);
    if (!ContextYaml.read(ContextYaml.write(contexts)).equals(contexts)) {
      throw new IllegalStateException("it is not what is written of it");
    }
  }
}
