package io.kairos.cli;

import io.kairos.client.PayloadCodec;
import io.kairos.client.exec.ExecHandler;
import io.kairos.client.worker.HandlerOptions;
import io.kairos.client.worker.Worker;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kairos worker exec}: a program of any kind as a worker. Runs until it is told to end. */
@Command(
    name = "worker",
    mixinStandardHelpOptions = true,
    description = "Performs tasks by running a program for each.")
final class WorkerCommand implements Runnable {
  @Mixin NodeOptions node = new NodeOptions();
  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Say what to do: exec.");
  }

  @Command(
      name = "exec",
      mixinStandardHelpOptions = true,
      description = {
        "Runs a program for each task of a handler: kairos worker exec --handler resize -- ./resize.sh",
        "The payload is its standard input. Exit code 0: done; 64 or 65: never try again; every other: try again later.",
        "What it writes to standard error last is the error. KAIROS_TASK_ID, KAIROS_FENCE and KAIROS_ATTEMPT are in its",
        "environment. SIGTERM lets the tasks that run end."
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
              names = "--name",
              description = "Name of this worker, unique; from the process id when left out.")
          @Nullable String name,
      @Parameters(
              arity = "1..*",
              paramLabel = "PROGRAM",
              description = "The program and its arguments.")
          List<String> program)
      throws InterruptedException {
    Worker.Builder builder = Worker.builder(node.addresses()).concurrency(concurrency);
    node.token().ifPresent(builder::token);
    if (name != null) {
      builder.name(name);
    }
    Worker worker = builder.build();
    for (String handler : handlers) {
      worker.handle(handler, PayloadCodec.bytes(), ExecHandler.of(program), HandlerOptions.DEFAULT);
    }
    Runtime.getRuntime()
        .addShutdownHook(Thread.ofPlatform().name("kairos-worker-stop").unstarted(worker::close));
    worker.start();
    worker.join();
    return 0;
  }
}
