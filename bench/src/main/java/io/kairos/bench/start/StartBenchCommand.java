package io.kairos.bench.start;

import io.kairos.bench.measure.ProcessMemory;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.report.RunVerdict;
import io.kairos.bench.report.ValueSpread;
import io.kairos.bench.rig.BenchNodeProcess;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.rig.RigCommand;
import io.kairos.bench.rig.WorkFolder;
import io.kairos.bench.trial.TrialReport;
import io.kairos.client.KairosClient;
import io.kairos.client.TaskRequest;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.worker.Worker;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bench start}: measures how soon a node without a broker is ready, and its memory after
 * some tasks. Runs on the main thread.
 */
@Command(
    name = "start",
    mixinStandardHelpOptions = true,
    description = {
      "Starts a node without Kafka on a running Postgres, again and again, and has tasks performed by a worker in this process.",
      "The first start, on an empty database, makes the schema.",
      "Exit code 0: ready within 3 s at each later start, and at most 400 MiB; 1: not; 3: void, tasks were not performed."
    })
public final class StartBenchCommand extends RigCommand {
  private static final Duration READY_WITHIN = Duration.ofSeconds(3);
  private static final long MOST_BYTES = 400L << 20;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String HANDLER = "bench";
  private static final int BATCH = 500;

  @Option(names = "--starts", defaultValue = "6", description = "Starts, with the first.")
  int starts;

  @Option(
      names = "--tasks",
      defaultValue = "10000",
      description = "Tasks before the memory is read.")
  int tasks;

  @Override
  protected BenchRig rig(WorkFolder folder) {
    return BenchRig.withoutBroker(folder, node);
  }

  @Override
  protected int run() throws SQLException, InterruptedException {
    require(starts >= 2, "--starts must be at least 2");
    return onRig("result", this::measure);
  }

  private TrialReport measure(BenchRig rig) throws InterruptedException {
    List<Double> seconds = new ArrayList<>();
    List<Double> processorSeconds = new ArrayList<>();
    for (int i = 0; i < starts; i++) {
      rig.nodes().forEach(BenchNodeProcess::stop);
      long began = System.nanoTime();
      BenchNodeProcess started = rig.startNode();
      seconds.add((System.nanoTime() - began) / 1e9);
      processorSeconds.add(started.processorTime().toMillis() / 1e3);
      progress.say(
          "ready after %.2f s, with %.2f s of the processor"
              .formatted(seconds.getLast(), processorSeconds.getLast()));
    }
    long pid = rig.nodes().getLast().pid();
    long idle = ProcessMemory.resident(pid);
    boolean performed = perform(rig.addresses());
    long resident = ProcessMemory.resident(pid);
    ValueSpread later = ValueSpread.of(seconds.subList(1, starts));
    ValueSpread processor = ValueSpread.of(processorSeconds.subList(1, starts));
    FigureList figures =
        new FigureList()
            .row("ready")
            .add("firstSeconds", "on an empty database after", Unit.SECONDS, seconds.getFirst())
            .add("medianSeconds", "later, median", Unit.SECONDS, later.median())
            .add("maxSeconds", "max", Unit.SECONDS, later.max())
            .row("processor until ready")
            .add("processorSeconds", "later, median", Unit.SECONDS, processor.median())
            .row("resident memory")
            .add("idleBytes", "before the first task", Unit.BYTES, idle)
            .add("residentBytes", "after " + tasks + " tasks", Unit.BYTES, resident)
            .add("peakBytes", "peak", Unit.BYTES, ProcessMemory.peakResident(pid));
    RunVerdict verdict =
        new RunVerdict()
            .demand(performed, "tasks were not performed")
            .expect(
                later.max() <= READY_WITHIN.toMillis() / 1e3,
                "a start took longer than " + READY_WITHIN.toSeconds() + " s")
            .expect(resident <= MOST_BYTES, "more than 400 MiB are resident");
    return new TrialReport(figures, verdict);
  }

  /** Returns false when not all tasks have been performed in time. */
  private boolean perform(String[] addresses) throws InterruptedException {
    CountDownLatch left = new CountDownLatch(tasks);
    try (KairosClient client = KairosClient.connect(addresses);
        Worker worker = Worker.connect(addresses)) {
      worker.handle(HANDLER, PayloadCodec.bytes(), (_, _) -> left.countDown()).start();
      TaskRequest task = TaskRequest.to(HANDLER).payload(new byte[node.valueBytes]).build();
      for (int sent = 0; sent < tasks; sent += BATCH) {
        client.schedule(Collections.nCopies(Math.min(BATCH, tasks - sent), task));
      }
      return left.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
  }
}
