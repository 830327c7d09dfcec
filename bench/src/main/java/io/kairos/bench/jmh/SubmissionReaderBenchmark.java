package io.kairos.bench.jmh;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.domain.delay.ControlHeaders;
import io.kairos.domain.delay.Header;
import io.kairos.domain.delay.InputRecord;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.delay.Submission;
import io.kairos.domain.delay.SubmissionReader;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** What a record on the input topic asks for, by the spelling of its due time. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SubmissionReaderBenchmark extends HotPieceBenchmark {
  private static final SubmissionReader READER =
      new SubmissionReader(new RouteId(1), Set.of(), 1_000_000, false);

  @Param({"1795231190226", "2026-11-21T03:19:50.226Z", "PT5S"})
  String due = "";

  private InputRecord message = of(ControlHeaders.DELAY, "PT5S");

  @Setup
  public void setUp() {
    message = of(due.startsWith("P") ? ControlHeaders.DELAY : ControlHeaders.DUE_AT, due);
  }

  private static InputRecord of(String dueHeader, String due) {
    return new InputRecord(
        3,
        4_711,
        1_795_231_190_226L,
        new byte[8],
        new byte[256],
        List.of(
            new Header(ControlHeaders.ID, "5f3a9c01d2e4b677-123456".getBytes(UTF_8)),
            new Header(dueHeader, due.getBytes(UTF_8)),
            new Header("trace", new byte[16])));
  }

  @Benchmark
  public Submission read() {
    return READER.read(message);
  }
}
