package io.kairos.model.replay;

import io.kairos.engine.cron.entry.BookCommand;
import io.kairos.engine.cron.module.CronModule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * A test of whether modules are deterministic. It makes one log of ticks and requests, and has it
 * executed by three replicas, each in a JVM of its own on the class path of the test, where {@link
 * java.util.ServiceLoader} finds the modules. One executes all of it; one falls behind in the
 * middle and is given a snapshot; one begins with that snapshot, as after a restart. The JVMs
 * differ in locale, time zone, charset, line separator, identity hashes, assertions, collector,
 * heap, compiler, number of processors, environment and working directory. What every entry and
 * request writes, throws and replies must be the same, and so must be the digest of the whole state
 * after every 100 requests.
 *
 * <p>Everything else is drawn from a seed, which is in the message of a failure; the system
 * property {@code replay.seed} sets it. Effects are not sent: a log has at most the 1,000 that may
 * wait. Takes some seconds. For one thread.
 */
public final class ModuleReplay {
  private static final long SHIPPED_SEED = 1;
  private static final Duration SHIPPED_DURATION = Duration.ofMinutes(10);

  private final List<BookCommand> setup;
  private final List<LogMaker.Requests> requests = new ArrayList<>();
  private Duration duration = SHIPPED_DURATION;
  private long seed = Long.getLong("replay.seed", SHIPPED_SEED);

  private ModuleReplay(List<BookCommand> setup) {
    this.setup = setup;
  }

  /**
   * A replay that begins with these commands, all of which must be carried out: tables, and entries
   * that run the modules.
   */
  public static ModuleReplay of(BookCommand... setup) {
    if (setup.length == 0) {
      throw new IllegalArgumentException("without a table or an entry there is nothing to replay");
    }
    return new ModuleReplay(List.of(setup));
  }

  /**
   * Clients' requests to a module, at times drawn from the seed.
   *
   * @param body makes the next one; depends on what it is given and on nothing else
   */
  public ModuleReplay requests(String module, int count, Function<RandomGenerator, byte[]> body) {
    if (!CronModule.isName(module)) {
      throw new IllegalArgumentException("a module's name has " + CronModule.NAME_RULE);
    }
    requests.add(new LogMaker.Requests(module, count, body));
    return this;
  }

  /**
   * For how much agreed time the tables tick, at their own periods: ten minutes unless this is
   * called.
   */
  public ModuleReplay during(Duration time) {
    duration = time;
    return this;
  }

  /**
   * Executes the log on all replicas.
   *
   * @throws AssertionError that names the first sequence at which they part, with the entry or
   *     request; or says why a replica could not execute it
   */
  public ReplayResult check() {
    SplittableRandom random = new SplittableRandom(seed);
    List<ReplayLine> log = new LogMaker(random.split()).make(setup, requests, duration);
    int after = log.size() / 4 + random.nextInt(log.size() / 4 + 1);
    int until = log.size() / 2 + 1 + random.nextInt(log.size() / 4 + 1);
    try (ReplayFolder folder = new ReplayFolder(log)) {
      List<ReplayTracePoint> whole = folder.await(folder.start(ReplayJvm.STAYED, until, until));
      ReplayFolder.Run behind = folder.start(ReplayJvm.FELL_BEHIND, after, until);
      ReplayFolder.Run back = folder.start(ReplayJvm.CAME_BACK, 0, until);
      for (ReplayFolder.Run run : List.of(behind, back)) {
        compare(log, run, whole, folder.await(run));
      }
      return ReplayResult.of(whole);
    } catch (ReplayFolder.RunFailed e) {
      throw new AssertionError(e.getMessage() + replayIt(), e);
    }
  }

  private void compare(
      List<ReplayLine> log,
      ReplayFolder.Run run,
      List<ReplayTracePoint> whole,
      List<ReplayTracePoint> marks) {
    Optional<ReplayTracePoint> first = run.firstDifference(whole, marks);
    if (first.isPresent()) {
      ReplayTracePoint mark = first.get();
      ReplayLine line = log.get(Math.toIntExact(mark.sequence() - 1));
      throw new AssertionError(
          "replicas part at sequence %d, %s: %s on %s than on %s%s"
              .formatted(
                  mark.sequence(), line.what(), mark, ReplayJvm.STAYED, run.jvm(), replayIt()));
    }
  }

  private String replayIt() {
    return "\nThis was -Dreplay.seed=" + seed;
  }
}
