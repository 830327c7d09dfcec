package io.kairos.cli;

import io.kairos.client.PayloadCodec;
import io.kairos.client.exec.ExecHandler;
import io.kairos.client.process.ProcessExecutors;
import io.kairos.client.worker.Halt;
import io.kairos.client.worker.Worker;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kairos worker}: programs of any kind as workers. Runs until it is told to end. */
@Command(
    name = "worker",
    mixinStandardHelpOptions = true,
    description = "Performs tasks by programs: one run for each task, or executors that stay.")
final class WorkerCommand extends NodeCommand {
  /** For programs to end that were asked to, and for what they have done to be reported. */
  private static final Duration STOP_TIME = ExecHandler.TERM_TIME.plusSeconds(1);

  WorkerCommand() {
    super("Say what to do: exec or controller.");
  }

  @Command(
      name = "exec",
      mixinStandardHelpOptions = true,
      description = {
        "Runs a program for each task of a handler: kairos worker exec --handler resize --"
            + " ./resize.sh",
        "The payload is its standard input. Exit code 0: done; 64 or 65: never try again; every"
            + " other: try again later.",
        "What it writes to standard error last is the error. KAIROS_TASK_ID, KAIROS_FENCE,"
            + " KAIROS_ATTEMPT, KAIROS_KEY and",
        "KAIROS_COLLECTION are in its environment. SIGTERM lets the tasks that run end."
      })
  int exec(
      @Option(
              names = "--handler",
              required = true,
              split = ",",
              description = "Names of the tasks that it performs.")
          List<String> handlers,
      @Option(
              names = "--concurrency",
              defaultValue = "1",
              description = "How many run at once (default ${DEFAULT-VALUE}).")
          int concurrency,
      @Option(
              names = "--drain",
              converter = DurationWord.class,
              defaultValue = "30s",
              description =
                  "How long tasks that run may go on after SIGTERM (default ${DEFAULT-VALUE}).")
          Duration drain,
      @Option(
              names = "--name",
              description = "Name of this worker, unique; from the process id when left out.")
          @Nullable String name,
      @Parameters(
              arity = "1..*",
              paramLabel = "PROGRAM",
              description = "The program and its arguments.")
          List<String> program)
      throws InterruptedException {
    ExecHandler programs = ExecHandler.of(program);
    Halt halt =
        why -> {
          programs.close();
          Halt.JVM.halt(why);
        };
    Worker worker = worker(concurrency, name).drainTime(drain).halt(halt).build();
    for (String handler : handlers) {
      worker.handle(handler, PayloadCodec.bytes(), programs);
    }
    perform(worker, programs::close);
    return 0;
  }

  @Command(
      name = "controller",
      mixinStandardHelpOptions = true,
      description = {
        "Keeps executors of any language running and gives them tasks: kairos worker controller"
            + " --handler resize -- ./worker.py",
        "An executor is a program that calls NextWork, Heartbeat and SetResult at the address in"
            + " KAIROS_ADDRESS, under the name in",
        "KAIROS_WORKER, one task at a time. One that performs and sends no heartbeat for the time"
            + " of --silence is killed with all",
        "that it has started, and another begins. SIGTERM lets the tasks that run end."
      })
  int controller(
      @Option(
              names = "--handler",
              required = true,
              split = ",",
              description = "Names of the tasks that the executors perform.")
          List<String> handlers,
      @Option(
              names = "--executors",
              defaultValue = "1",
              description = "How many (default ${DEFAULT-VALUE}).")
          int executors,
      @Option(
              names = "--silence",
              converter = DurationWord.class,
              defaultValue = "2s",
              description =
                  "After which an executor is killed; less than half of the nodes' tasks.lease"
                      + " (default ${DEFAULT-VALUE}).")
          Duration silence,
      @Option(
              names = "--drain",
              converter = DurationWord.class,
              defaultValue = "30s",
              description =
                  "How long tasks that run may go on after SIGTERM (default ${DEFAULT-VALUE}).")
          Duration drain,
      @Option(
              names = "--name",
              description = "Name of this worker, unique; from the process id when left out.")
          @Nullable String name,
      @Parameters(
              arity = "1..*",
              paramLabel = "PROGRAM",
              description = "The program and its arguments.")
          List<String> program)
      throws InterruptedException {
    Worker worker = worker(executors, name).drainTime(drain).build();
    ProcessExecutors processes = ProcessExecutors.start(worker.name(), program, executors, silence);
    for (String handler : handlers) {
      worker.handle(handler, PayloadCodec.bytes(), processes);
    }
    perform(worker, processes::close);
    return 0;
  }

  private Worker.Builder worker(int concurrency, @Nullable String name) {
    Worker.Builder builder =
        Worker.builder(node.addresses().toArray(String[]::new))
            .concurrency(concurrency)
            .stopTime(STOP_TIME);
    node.token().ifPresent(builder::token);
    if (name != null) {
      builder.name(name);
    }
    return builder;
  }

  private static void perform(Worker worker, Runnable afterwards) throws InterruptedException {
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform()
                .name("kairos-worker-stop")
                .unstarted(() -> {
                  worker.close();
                  afterwards.run();
                }));
    worker.start();
    worker.join();
  }
}
