package io.kairos.consensus;

import io.kairos.contracts.RecordingMachine;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.loop.Step;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.OrderedExecution;
import io.kairos.engine.replica.SubmissionResult;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A replica in a process of its own. Arguments: its number, its directory and the ports of all.
 * Does what the lines on its standard input say, and ends with it.
 */
final class ReplicaMain {
  private ReplicaMain() {}

  public static void main(String[] args) throws IOException {
    int number = Integer.parseInt(args[0]);
    List<ReplicaAddress> addresses =
        Arrays.stream(args[2].split(",", -1))
            .map(port -> new ReplicaAddress("127.0.0.1", Integer.parseInt(port)))
            .toList();
    AtomicInteger restored = new AtomicInteger();
    RecordingMachine machine = new RecordingMachine(restored::incrementAndGet);
    RatisLog log =
        RatisLog.open(
            new RatisConfig(
                "processes",
                new ReplicaId(number),
                addresses,
                Path.of(args[1]),
                Optional.empty(),
                OrderedExecution.Config.DEFAULT,
                RatisReplicas.LIMITS),
            machine,
            broken -> say("broken " + broken));
    Thread.ofPlatform().daemon().start(() -> turn(log.resending()));
    say("open");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ", -1);
      switch (words[0]) {
        case "submit" -> {
          long client = Long.parseLong(words[1]);
          long request = Long.parseLong(words[2]);
          log.submit(
              new ClientId(client),
              request,
              words[3].getBytes(StandardCharsets.UTF_8),
              answer -> say("answer " + client + "/" + request + " " + said(answer)));
        }
        case "state" ->
            log.post(() ->
                say(
                    "state %d %08x %d"
                        .formatted(log.sequence(), machine.executed().hashCode(), restored.get())));
        case "leader" -> say("leader " + log.leader().map(ReplicaId::number).orElse(-1));
        default -> throw new IllegalArgumentException(line);
      }
    }
    Runtime.getRuntime().halt(0);
  }

  private static String said(SubmissionResult answer) {
    return switch (answer) {
      case SubmissionResult.Done done -> "done " + done.sequence();
      case SubmissionResult.Stale stale -> "stale " + stale.lastRequest();
      case SubmissionResult.Refused _, SubmissionResult.Unknown _ -> "unknown";
    };
  }

  private static void turn(Step step) {
    while (!Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(step.runOnce().after().toNanos());
    }
  }

  private static void say(String line) {
    synchronized (System.out) {
      System.out.println(line);
      System.out.flush();
    }
  }
}
