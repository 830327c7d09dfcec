package io.kairos.cli;

import io.kairos.cli.command.NodeCommand;
import io.kairos.cli.option.WorkerOptions;
import io.kairos.client.exec.ExecHandler;
import io.kairos.client.process.ProcessExecutors;
import io.kairos.client.worker.Worker;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code kairos worker}: runs programs as workers, until the process is told to end. */
@Command(
    name = "worker",
    addMethodSubcommands = false,
    description = "Performs tasks by programs: one process per task, or long-running executors.")
final class WorkerCommand extends NodeCommand {
  @Command(
      name = "exec",
      description = {
        "Runs a program for each task of a handler: kairos worker exec --handler resize --"
            + " ./resize.sh",
        "The program gets the payload as standard input. Its exit code is the outcome: 0"
            + " success; 64 or 65 failed for good; those of --snooze put the task off; every"
            + " other is retried.",
        "The end of its standard error is the error text. KAIROS_TASK_ID, KAIROS_FENCE,"
            + " KAIROS_ATTEMPT, KAIROS_KEY and",
        "KAIROS_COLLECTION are in its environment. KAIROS_PREDECESSORS names a directory with"
            + " what the task has waited for: a list, and results.",
        "After SIGTERM, running tasks may end."
      })
  int exec(
      @Mixin WorkerOptions options,
      @Option(
              names = "--concurrency",
              defaultValue = "1",
              description = "Number of programs that run at once (default ${DEFAULT-VALUE}).")
          int concurrency,
      @Option(
              names = "--snooze",
              paramLabel = "CODE=DELAY",
              description =
                  "Exit code by which a program puts its task off by a delay, which is no failure:"
                      + " --snooze 99=10m. Repeatable.")
          @Nullable Map<Integer, Duration> snooze,
      @Option(
              names = "--result",
              paramLabel = "TYPE",
              description =
                  "Keeps the program's standard output as the result of the task, of this media"
                      + " type, such as application/json.")
          @Nullable String resultType)
      throws InterruptedException {
    ExecHandler inheriting = snoozing(ExecHandler.of(options.program), snooze);
    ExecHandler programs = resultType == null ? inheriting : inheriting.returningOutput(resultType);
    Worker worker = worker(options, concurrency);
    options.perform(worker, programs, programs::close);
    return 0;
  }

  private ExecHandler snoozing(ExecHandler programs, @Nullable Map<Integer, Duration> codes) {
    try {
      return programs.withSnoozeCodes(codes == null ? Map.of() : codes);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--snooze: " + e.getMessage(), e);
    }
  }

  @Command(
      name = "controller",
      description = {
        "Keeps executors of any language running and gives them tasks: kairos worker controller"
            + " --handler resize -- ./worker.py",
        "An executor is a program that calls NextWork, Heartbeat and SetResult at the"
            + " address in KAIROS_ADDRESS, with the name in",
        "KAIROS_WORKER. It may ask for the next task while it performs others, see --tasks. An"
            + " executor that performs a task",
        "without a heartbeat for --silence is killed with its descendants, and another is"
            + " started. After SIGTERM, running tasks may end."
      })
  int controller(
      @Mixin WorkerOptions options,
      @Option(
              names = "--executors",
              defaultValue = "1",
              description = "Number of executors (default ${DEFAULT-VALUE}).")
          int executors,
      @Option(
              names = "--tasks",
              defaultValue = "1",
              description =
                  "Tasks that one executor performs at once, if it asks for as many"
                      + " (default ${DEFAULT-VALUE}).")
          int tasks,
      @Option(
              names = "--silence",
              defaultValue = "2s",
              description =
                  "Time without a heartbeat after which an executor is killed; less than"
                      + " half of the nodes' tasks.lease (default ${DEFAULT-VALUE}).")
          Duration silence)
      throws InterruptedException {
    Worker worker = worker(options, executors * tasks);
    ProcessExecutors processes =
        ProcessExecutors.start(worker.name(), options.program, executors, silence);
    options.perform(worker, processes, processes::close);
    return 0;
  }

  /** Says first that a token is not sent: the log of a worker has only its refusals. */
  private Worker worker(WorkerOptions options, int concurrency) {
    String withheld = calls().withheld(destination());
    if (!withheld.isEmpty()) {
      spec.commandLine().getErr().println("kairos: no token is sent: " + withheld);
    }
    return options.worker(calls(), concurrency).build();
  }
}
