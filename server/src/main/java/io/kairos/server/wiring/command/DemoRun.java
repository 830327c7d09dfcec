package io.kairos.server.wiring.command;

import com.google.errorprone.annotations.FormatMethod;
import io.kairos.embedded.FileTree;
import io.kairos.server.observe.LoggingSetup;
import io.kairos.server.wiring.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;

/**
 * One run of a demo, in a folder of the system's temporary directory. The folder is deleted at the
 * end, unless the demo fails: then its logs are needed.
 */
record DemoRun(PrintWriter out, Path folder) {
  private static final double NANOS_PER_SECOND = 1e9;

  /** The demo itself; false when it has found a fault. */
  interface Demo {
    boolean run(DemoRun run) throws IOException, InterruptedException;
  }

  /** Runs a demo and returns the exit code. */
  static int of(PrintWriter out, Demo demo) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("kairos-demo-");
    // Started by root, the embedded Postgres may run as another user, who needs access.
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
    LoggingSetup.toFile(folder.resolve("kairos.log"));
    DemoRun run = new DemoRun(out, folder);
    try {
      if (!demo.run(run)) {
        run.say("This should not happen. The logs are in %s", folder);
        return ExitCode.FAILED;
      }
    } catch (InterruptedException e) {
      FileTree.delete(folder);
      throw e;
    } catch (RuntimeException e) {
      LoggingSetup.quiet();
      run.say("The logs are in %s", folder);
      throw e;
    }
    FileTree.delete(folder);
    return ExitCode.OK;
  }

  @FormatMethod
  void say(String pattern, Object... values) {
    out.printf(Locale.ROOT, pattern + "%n", values);
    out.flush();
  }

  static double secondsSince(long startNanos) {
    return (System.nanoTime() - startNanos) / NANOS_PER_SECOND;
  }
}
