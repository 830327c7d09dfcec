package io.kairos.cli.text;

import io.kairos.fuzzing.ParserFuzz;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Files of schedules. */
class ScheduleFileFuzzTest {
  @TestFactory
  Stream<DynamicTest> every_file_is_read_or_refused() {
    return Stream.of(
        ParserFuzz.text("schedule-file", text -> ScheduleFile.read("f", text))
            .refusing(IllegalArgumentException.class)
            .test());
  }
}
