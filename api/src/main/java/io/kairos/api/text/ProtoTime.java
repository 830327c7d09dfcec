package io.kairos.api.text;

import com.google.protobuf.Timestamp;
import java.time.Duration;
import java.time.Instant;

/** Converts times and durations between the JDK and protobuf. */
public final class ProtoTime {
  private static final int NANOS_PER_SECOND = 1_000_000_000;

  private ProtoTime() {}

  public static Timestamp of(Instant time) {
    return Timestamp.newBuilder()
        .setSeconds(time.getEpochSecond())
        .setNanos(time.getNano())
        .build();
  }

  public static Instant of(Timestamp time) {
    return Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
  }

  public static com.google.protobuf.Duration of(Duration length) {
    long seconds = length.getSeconds();
    int nanos = length.getNano();
    if (seconds < 0 && nanos > 0) { // protobuf wants both of one sign
      seconds++;
      nanos -= NANOS_PER_SECOND;
    }
    return com.google.protobuf.Duration.newBuilder().setSeconds(seconds).setNanos(nanos).build();
  }

  public static Duration of(com.google.protobuf.Duration length) {
    return Duration.ofSeconds(length.getSeconds(), length.getNanos());
  }
}
