package io.kairos.examples.lease;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.consensus.RatisConfig;
import io.kairos.consensus.RatisLog;
import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.CronTable;
import io.kairos.domain.cron.CronTableRegistry;
import io.kairos.domain.cron.PeriodicEntries;
import io.kairos.domain.cron.outbox.Effect;
import io.kairos.domain.cron.outbox.EffectOutbox;
import io.kairos.domain.page.PageArea;
import io.kairos.domain.page.PageId;
import io.kairos.domain.page.ReservedPages;
import io.kairos.engine.cron.CronApplication;
import io.kairos.engine.cron.CronMachine;
import io.kairos.engine.cron.CronReplica;
import io.kairos.engine.cron.EffectSink;
import io.kairos.engine.cron.LogCommand;
import io.kairos.engine.loop.Step;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.SubmissionResult;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** A replica inside an application: a backup is due every second, whose folder a request sets. */
final class EmbeddedCron implements AutoCloseable {
  private static final ComponentId BACKUPS = new ComponentId(1);

  private final RatisLog log;
  private final List<Thread> threads;

  EmbeddedCron(RatisConfig config, EffectSink outside, Consumer<Throwable> broken) {
    CronReplica replica =
        CronReplica.of(
                new CronMachine.Config(config.cluster()),
                new Backups(),
                new CronReplica.Local(
                    System::nanoTime, InstantSource.system(), new SplittableRandom()))
            .effects(outside)
            .build();
    log = RatisLog.open(config, replica.machine(), broken);
    threads =
        replica.on(log).steps().stream()
            .map(step -> Thread.startVirtualThread(() -> run(step, broken)))
            .toList();
  }

  /** A replica without one of its steps would be half alive: none ends without a word. */
  static void run(Step step, Consumer<Throwable> broken) {
    while (!Thread.currentThread().isInterrupted()) {
      Duration pause = Duration.ofSeconds(1);
      try {
        pause = step.runOnce().after();
      } catch (IllegalStateException | Error e) {
        broken.accept(e);
        return;
      } catch (RuntimeException e) {
        System.getLogger("cron").log(Level.WARNING, step.name() + " is tried again", e);
      }
      LockSupport.parkNanos(pause.toNanos());
    }
  }

  /** Executed once, however often and at whichever replica it is submitted under its number. */
  CompletableFuture<SubmissionResult> folder(ClientId client, long number, String name) {
    CompletableFuture<SubmissionResult> answer = new CompletableFuture<>();
    byte[] command = new LogCommand.Request(name.getBytes(UTF_8)).encode();
    log.submit(client, number, command, answer::complete);
    return answer;
  }

  @Override
  public void close() {
    threads.forEach(Thread::interrupt);
    log.close();
  }

  /** The part that is replicated: it depends on ticks, requests and pages, and on nothing else. */
  private static final class Backups implements CronApplication {
    private static final PageId FOLDER = new PageId(PageArea.USER, 1, 0);

    @Override
    public void build(CronTableRegistry tables, ReservedPages pages) {
      EffectOutbox outbox = new EffectOutbox(pages);
      CronTable table = tables.table(BACKUPS);
      table.add(
          PeriodicEntries.every(
              table,
              10,
              Duration.ofSeconds(1),
              tick -> outbox.put(tick, 10, Effect.Asking.IN_TURN, folder(pages))));
    }

    private static byte[] folder(ReservedPages pages) {
      return pages.read(FOLDER).orElse("unset".getBytes(UTF_8));
    }

    @Override
    public Map<ComponentId, Duration> ticks() {
      return Map.of(BACKUPS, Duration.ofMillis(100));
    }

    @Override
    public byte[] execute(Request request, ReservedPages pages) {
      byte[] before = folder(pages);
      pages.write(FOLDER, request.body());
      return before;
    }
  }
}
