package io.kairos.bench.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The clock of processes that can be stepped while they run, by libfaketime of Debian's package of
 * that name. The processes read the offset from a file, each time that they look at their clock.
 */
public final class SteppedClock {
  private static final List<Path> LIBRARIES =
      List.of(
          Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"),
          Path.of("/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1"));

  private final Path library;
  private final Path offset;

  private SteppedClock(Path library, Path offset) {
    this.library = library;
    this.offset = offset;
  }

  /** A clock that is right so far; empty when the library is not installed. */
  public static Optional<SteppedClock> in(Path directory) {
    return LIBRARIES.stream()
        .filter(Files::isReadable)
        .findFirst()
        .map(library -> {
          SteppedClock clock = new SteppedClock(library, directory.resolve("clock-offset"));
          clock.setAhead(Duration.ZERO);
          return clock;
        });
  }

  /** Variables of the processes whose clock it is. */
  public Map<String, String> environment() {
    return Map.of(
        "LD_PRELOAD",
        library.toString(),
        "FAKETIME_TIMESTAMP_FILE",
        offset.toString(),
        "FAKETIME_NO_CACHE",
        "1",
        "FAKETIME_DONT_FAKE_MONOTONIC",
        "1");
  }

  /** Steps the clock so that it is ahead of the right time by so much. */
  public void setAhead(Duration ahead) {
    String text = String.format(Locale.ROOT, "%+.3f%n", ahead.toMillis() / 1e3);
    try {
      Path fresh = Files.writeString(offset.resolveSibling("clock-offset.new"), text);
      // Postgres may run as another user.
      Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-r--r--"));
      Files.move(fresh, offset, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot step the clock", e);
    }
  }
}
