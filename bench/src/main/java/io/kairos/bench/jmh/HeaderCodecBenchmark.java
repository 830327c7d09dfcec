package io.kairos.bench.jmh;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.domain.delay.Header;
import io.kairos.domain.delay.HeaderCodec;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Headers to bytes at intake, and back when fired. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HeaderCodecBenchmark extends HotPieceBenchmark {
  @Param({"0", "2", "8"})
  int headers;

  private List<Header> decoded = List.of();
  private byte[] encoded = {};

  @Setup
  public void setUp() {
    decoded =
        IntStream.range(0, headers)
            .mapToObj(i -> new Header("application-header-" + i, ("value " + i).getBytes(UTF_8)))
            .toList();
    encoded = HeaderCodec.encode(decoded);
  }

  @Benchmark
  public byte[] encode() {
    return HeaderCodec.encode(decoded);
  }

  @Benchmark
  public List<Header> decode() {
    return HeaderCodec.decode(encoded);
  }
}
