package io.kairos.server.wiring;

import io.kairos.server.config.ConfigurationException;
import io.kairos.server.observe.Logs;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command line of the application. Commands run on the main thread; a signal to end interrupts
 * it and waits for its orderly end.
 */
@Command(
    name = "kairos",
    description = "Keeps work until its moment and then hands it over.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Versions.class,
    subcommands = {
      ServerCommand.class,
      DemoCommand.class,
      ReplicaCommand.class,
      ConfigCommand.class
    })
public final class Main implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Main.class);

  @Spec private CommandSpec spec = CommandSpec.create();

  private Main() {}

  public static void main(String[] args) {
    Logs.quiet();
    Thread.setDefaultUncaughtExceptionHandler((thread, error) ->
        LOG.atError()
            .addKeyValue("thread", thread.getName())
            .setCause(error)
            .log("a thread has died"));
    CountDownLatch ended = new CountDownLatch(1);
    interruptOnSignal(Thread.currentThread(), ended);
    int code = ExitCode.BROKEN;
    try {
      code = commandLine().execute(args);
    } finally {
      ended.countDown();
      if (code == ExitCode.BROKEN) {
        LastResort.haltLater(code);
      }
      exit(code);
    }
  }

  /** In a method of its own: leaving finally by it would hide an error from the compiler's eyes. */
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
      if (!ended.await(LastResort.ORDERLY_END.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.error("did not end in time; the process is given up");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** As in production, for tests to give arguments to. */
  static CommandLine commandLine() {
    return new CommandLine(new Main()).setExecutionExceptionHandler(Main::failed);
  }

  /** What a person can mend is a sentence on standard error; everything else is our fault. */
  private static int failed(Exception e, CommandLine command, CommandLine.ParseResult parsed) {
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

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Name a command.");
  }

  @Command(description = "Prints the version.")
  int version() {
    spec.commandLine().getOut().println("kairos " + Version.text());
    spec.commandLine().getOut().flush();
    return ExitCode.OK;
  }

  /** For {@code --version}. */
  static final class Versions implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"kairos " + Version.text()};
    }
  }
}
