package io.kairos.server.wiring.command;

import io.kairos.cli.CliMain;
import io.kairos.server.config.ConfigurationException;
import io.kairos.server.observe.LoggingSetup;
import io.kairos.server.wiring.ExitCode;
import io.kairos.server.wiring.ForcedExit;
import io.kairos.server.wiring.StartException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The whole program {@code kairos}: nodes, replicas and the tools. Commands run on the main thread;
 * a termination signal interrupts it and waits for its orderly end.
 */
public final class Main {
  private static final Logger LOG = LoggerFactory.getLogger(Main.class);

  private static final List<Class<?>> COMMANDS =
      List.of(
          ServerCommand.class,
          ReplicaServerCommand.class,
          DemoCommand.class,
          ConfigCommand.class,
          SchemaCommand.class);

  private Main() {}

  public static void main(String[] args) {
    LoggingSetup.quiet();
    Thread.setDefaultUncaughtExceptionHandler((thread, error) ->
        LOG.atError()
            .addKeyValue("thread", thread.getName())
            .setCause(error)
            .log("a thread has died"));
    CountDownLatch ended = new CountDownLatch(1);
    interruptOnSignal(Thread.currentThread(), ended);
    int code = ExitCode.BROKEN;
    try {
      code = CliMain.execute(commandLine(args), args);
    } finally {
      ended.countDown();
      if (code == ExitCode.BROKEN) {
        ForcedExit.haltLater(code);
      }
      exit(code);
    }
  }

  /** A separate method, because the compiler warns of System.exit in a finally block. */
  private static void exit(int code) {
    System.exit(code);
  }

  private static void interruptOnSignal(Thread main, CountDownLatch ended) {
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform()
                .name("kairos-shutdown")
                .unstarted(() -> {
                  if (ended.getCount() > 0) {
                    main.interrupt();
                    awaitOrderlyEnd(ended);
                  }
                }));
  }

  private static void awaitOrderlyEnd(CountDownLatch ended) {
    try {
      if (!ended.await(ForcedExit.ORDERLY_END.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.error("did not end in time; the process is given up");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The commands that the words name, all when they name none; tests call it with arguments. */
  public static CommandLine commandLine(String... words) {
    CommandLine program = CliMain.program(COMMANDS, words);
    CommandLine.IExecutionExceptionHandler tools = program.getExecutionExceptionHandler();
    return program.setExecutionExceptionHandler((e, command, parsed) ->
        isOfServer(command.getCommandSpec())
            ? failed(e, command)
            : tools.handleExecutionException(e, command, parsed));
  }

  private static boolean isOfServer(CommandSpec command) {
    CommandSpec above = command.parent();
    return COMMANDS.contains(command.userObject().getClass())
        || (above != null && isOfServer(above));
  }

  /** Prints a sentence for a failure that the user can mend, and logs any other as a fault. */
  private static int failed(Exception e, CommandLine command) {
    return switch (e) {
      case ConfigurationException problems -> {
        problems.problems().forEach(problem -> command.getErr().println("kairos: " + problem));
        yield ExitCode.UNUSABLE;
      }
      case StartException problem -> {
        command.getErr().println("kairos: " + problem.getMessage());
        yield ExitCode.FAILED;
      }
      case InterruptedException _ -> ExitCode.OK;
      default -> {
        LOG.atError().setCause(e).log("failed by an error of Kairos itself");
        yield ExitCode.BROKEN;
      }
    };
  }
}
