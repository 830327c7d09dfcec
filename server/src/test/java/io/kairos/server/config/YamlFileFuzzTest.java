package io.kairos.server.config;

import io.kairos.fuzzing.ParserFuzz;
import java.io.StringReader;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Configuration files. */
class YamlFileFuzzTest {
  @TestFactory
  Stream<DynamicTest> every_file_is_read_or_refused() {
    return Stream.of(
        ParserFuzz.text("config-yaml", text -> YamlFile.parse("f", new StringReader(text)))
            .refusing(ConfigurationException.class)
            .test());
  }
}
