package io.kairos.bench.spring;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.report.ProgressLog;
import io.kairos.bench.report.RunVerdict;
import io.kairos.bench.report.ValueSpread;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.spring.SpringApplicationOfBench.Resize;
import io.kairos.bench.trial.TrialReport;
import io.kairos.client.KairosClient;
import io.kairos.client.TaskRequest;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.worker.Worker;
import io.kairos.spring.KairosTemplate;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Rounds of the client alone and of the starter in turns, on one node: a payload of the same length
 * and the same number of threads. Used by one thread.
 */
final class SpringRun {
  private static final String RAW_HANDLER = "bench-raw";
  private static final int BATCH = 500;
  private static final double LEAST_RATIO = 0.9;

  private final BenchRig rig;
  private final int rounds;
  private final int warmUpRounds;
  private final int tasks;
  private final int executors;
  private final ProgressLog progress;
  private final int payloadBytes;
  private boolean isComplete = true;
  private long twice;
  private volatile PerformedSet rawPerformed = new PerformedSet(0);

  SpringRun(
      BenchRig rig, int rounds, int warmUpRounds, int tasks, int executors, ProgressLog progress) {
    this.rig = rig;
    this.rounds = rounds;
    this.warmUpRounds = warmUpRounds;
    this.tasks = tasks;
    this.executors = executors;
    this.progress = progress;
    payloadBytes = json(Resize.of(tasks)).length;
  }

  private static byte[] json(Resize resize) {
    try {
      return new ObjectMapper().writeValueAsBytes(resize);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  TrialReport run() throws InterruptedException {
    List<Double> raw = new ArrayList<>();
    List<Double> spring = new ArrayList<>();
    List<Double> ratios = new ArrayList<>();
    try (KairosClient client = rig.access().apply(KairosClient.builder(rig.addresses())).build();
        Worker worker = worker();
        SpringApplicationOfBench application = new SpringApplicationOfBench(rig, executors)) {
      worker.start();
      for (int round = 1 - warmUpRounds; round <= rounds; round++) {
        boolean isRawFirst = round % 2 == 0;
        double first = isRawFirst ? raw(client) : spring(application);
        double second = isRawFirst ? spring(application) : raw(client);
        double ofRaw = isRawFirst ? first : second;
        double ofSpring = isRawFirst ? second : first;
        progress.say(
            "round %d of %d: client %.0f/s, Spring %.0f/s"
                .formatted(round, rounds, ofRaw, ofSpring));
        if (round >= 1) {
          raw.add(ofRaw);
          spring.add(ofSpring);
          ratios.add(ofSpring / ofRaw);
        }
      }
    }
    return report(ValueSpread.of(raw), ValueSpread.of(spring), ValueSpread.of(ratios));
  }

  private Worker worker() {
    return rig.access()
        .apply(Worker.builder(rig.addresses()).concurrency(executors))
        .build()
        .handle(
            RAW_HANDLER,
            PayloadCodec.bytes(),
            (payload, _) -> rawPerformed.performed(ByteBuffer.wrap(payload).getInt()));
  }

  private double raw(KairosClient client) throws InterruptedException {
    PerformedSet performed = new PerformedSet(tasks);
    rawPerformed = performed;
    return round(
        performed,
        sequence ->
            TaskRequest.to(RAW_HANDLER)
                .payload(ByteBuffer.allocate(payloadBytes).putInt(sequence).array())
                .build(),
        client::schedule);
  }

  private double spring(SpringApplicationOfBench application) throws InterruptedException {
    PerformedSet performed = new PerformedSet(tasks);
    application.noteIn(performed);
    KairosTemplate template = application.template();
    return round(
        performed,
        sequence -> template.task(SpringApplicationOfBench.HANDLER, Resize.of(sequence)).build(),
        template::scheduleAll);
  }

  /** Schedules the tasks from several threads, and returns how many a second were performed. */
  private double round(
      PerformedSet performed, IntFunction<TaskRequest> task, Consumer<List<TaskRequest>> schedule)
      throws InterruptedException {
    long start = System.nanoTime();
    IntStream.range(0, (tasks + BATCH - 1) / BATCH)
        .parallel()
        .forEach(batch ->
            schedule.accept(
                IntStream.range(batch * BATCH, Math.min(tasks, (batch + 1) * BATCH))
                    .mapToObj(task)
                    .toList()));
    isComplete &= performed.awaitAll();
    double seconds = (System.nanoTime() - start) / 1e9;
    twice += performed.twice();
    return tasks / seconds;
  }

  private TrialReport report(ValueSpread raw, ValueSpread spring, ValueSpread ratio) {
    FigureList figures =
        new FigureList()
            .row("rounds")
            .count("rounds", "of each", rounds)
            .count("tasks", "with tasks", tasks)
            .count("payloadBytes", "with bytes", payloadBytes)
            .count("executors", "performed by threads", executors)
            .row("performed")
            .add("clientPerSecond", "client, median", Unit.PER_SECOND, raw.median())
            .add("springPerSecond", "Spring, median", Unit.PER_SECOND, spring.median());
    ratio.report("ratio", "Spring ÷ client", figures);
    RunVerdict verdict =
        new RunVerdict()
            .demand(isComplete, "tasks were lost")
            .demand(twice == 0, "tasks were performed twice")
            .expect(ratio.median() >= LEAST_RATIO, "Spring is below 0.9 of the client");
    return new TrialReport(figures, verdict);
  }
}
