package io.kairos.server.wiring.command;

import io.kairos.cli.TrainingLimit;
import io.kairos.server.wiring.ExitCode;
import java.time.Duration;

/**
 * A run that loads most of the classes of a node's start, for the archive from which later starts
 * take them: the start of a node whose database does not answer, which ends by itself and leaves
 * nothing. Started where Kairos is installed or built. Ends with 0, or with 1 when the start ended
 * in another way; standard error says how.
 */
final class ServerTraining {
  /** Twenty times as long as it takes. */
  private static final long LIMIT_SECONDS = 120;

  private ServerTraining() {}

  public static void main(String[] arguments) {
    TrainingLimit.haltAfter(Duration.ofSeconds(LIMIT_SECONDS));
    int code =
        Main.commandLine()
            .execute(
                "server",
                "--without-kafka",
                "--port=0",
                // A port that nobody listens on.
                "--set=postgres.url=jdbc:postgresql://127.0.0.1:1/none",
                // As long as the HTTP edge needs to start beside it.
                "--set=node.start-timeout=1s");
    System.exit(code == ExitCode.FAILED ? ExitCode.OK : ExitCode.FAILED);
  }
}
