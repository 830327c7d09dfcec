package io.kairos.cli.imports;

import io.kairos.fuzzing.ParserFuzz;
import java.time.Instant;
import java.time.ZoneId;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Crontabs: lines that are none are passed over with a reason, and nothing is thrown. */
class CrontabFuzzTest {
  private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");

  @TestFactory
  Stream<DynamicTest> every_crontab_is_read() {
    return Stream.of(crontab(false).test(), crontab(true).named("crontab of a system").test());
  }

  /** A line needs 20 KB to find its next fire times, and an input may have thousands of lines. */
  private static ParserFuzz crontab(boolean ofSystem) {
    return ParserFuzz.text("crontab", text -> read(text, ofSystem)).allocating(1_024);
  }

  private static void read(String text, boolean ofSystem) {
    ImportSource source = new ImportSource("crontab/{command}", "sh-{user}", NOW, 3);
    CrontabFile.read("tab", text, ofSystem, ZoneId.of("Europe/Berlin"), source);
  }
}
