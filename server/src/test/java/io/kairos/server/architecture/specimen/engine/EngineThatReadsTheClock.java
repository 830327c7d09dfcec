package io.kairos.server.architecture.specimen.engine;

import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.function.Supplier;

/** Must break in every method: time comes from outside. */
@SuppressWarnings("JavaUtilDate")
public final class EngineThatReadsTheClock {
  Instant instant() {
    return Instant.now();
  }

  ZonedDateTime zoned(ZoneId zone) {
    return ZonedDateTime.now(zone);
  }

  Supplier<Instant> methodReference() {
    return Instant::now;
  }

  Supplier<Long> lambda() {
    return () -> System.nanoTime();
  }

  long millis() {
    return System.currentTimeMillis();
  }

  InstantSource source() {
    return InstantSource.system();
  }

  Clock clock() {
    return Clock.systemUTC();
  }

  Date date() {
    return new Date();
  }
}
