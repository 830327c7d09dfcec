package io.kairos.bench.byzantine;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.bench.rig.BenchProcess;
import io.kairos.embedded.ChildProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A process of {@link HostileMain}. Used by one thread. */
final class HostileProcess extends BenchProcess {
  private final Writer in = process().outputWriter(UTF_8);
  private final BufferedReader out = process().inputReader(UTF_8);

  HostileProcess(HostileSettings settings, Path log) {
    super(
        "hostile",
        ChildProcess::startTalking,
        command(List.of("-Xmx512m"), HostileMain.class, List.of(json(settings))),
        NO_JAVA_OPTIONS,
        log);
  }

  /**
   * Makes it attack in this way; null for the truth. Returns how often it has done what it did
   * until now.
   */
  long begin(@Nullable Attack attack) {
    try {
      in.write((attack == null ? HostileMain.NONE : attack.name()) + "\n");
      in.flush();
      String answer = out.readLine();
      if (answer == null) {
        throw new IOException("its output has ended");
      }
      return Long.parseLong(answer);
    } catch (IOException e) {
      throw new UncheckedIOException("the hostile replica does not listen", e);
    }
  }
}
