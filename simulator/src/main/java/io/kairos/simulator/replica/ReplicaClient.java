package io.kairos.simulator.replica;

import static io.kairos.simulator.replica.ReplicaJudge.ONCE;

import io.kairos.engine.cron.LogCommand;
import io.kairos.engine.cron.LogReply;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.SubmissionResult;
import io.kairos.simulator.kernel.RuleViolation;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;

/** Submits one request after another at any running replica, each until it is answered. */
final class ReplicaClient {
  private static final long MILLI = 1_000_000;

  final long number;
  private final ReplicaTimeline timeline;
  private final List<ReplicaLife> processes;
  private final SplittableRandom random;
  private long request;
  private long tries;
  private boolean isWaiting;
  private boolean stopped;

  ReplicaClient(long number, ReplicaWorld world, SplittableRandom random) {
    this.number = number;
    this.timeline = world.timeline;
    this.processes = world.processes;
    this.random = random;
  }

  /** Number of requests that this client has made; all but the last one are answered. */
  long requests() {
    return request;
  }

  boolean isWaiting() {
    return isWaiting;
  }

  /** Makes no further request. */
  void stop() {
    stopped = true;
  }

  void next() {
    timeline.after(
        random.nextLong(500 * MILLI, 5_000 * MILLI),
        () -> {
          if (!stopped) {
            request++;
            isWaiting = true;
            submit();
          }
        });
  }

  private void submit() {
    long thisTry = ++tries;
    ReplicaLog log = processes.get(random.nextInt(processes.size())).log();
    if (log != null) {
      byte[] body = ByteBuffer.allocate(Long.BYTES).putLong(number).array();
      log.submit(
          new ClientId(number),
          request,
          new LogCommand.Request(body).encode(),
          answer -> answered(thisTry, answer));
    }
    // Somebody who does not answer may be cut off: after a while another one is asked.
    timeline.after(random.nextLong(1_000 * MILLI, 8_000 * MILLI), () -> again(thisTry));
  }

  private void again(long thisTry) {
    if (isWaiting && thisTry == tries) {
      submit();
    }
  }

  private void answered(long thisTry, SubmissionResult answer) {
    if (!isWaiting || thisTry != tries) {
      return;
    }
    switch (answer) {
      case SubmissionResult.Done(long _, byte[] reply) -> {
        ReplicaJudge.check(
            LogReply.of(reply) == LogReply.EXECUTED
                && ByteBuffer.wrap(reply, 1, Long.BYTES).getLong() == request,
            ONCE,
            () -> "client " + number + " is told something else of its request " + request);
        isWaiting = false;
        next();
      }
      case SubmissionResult.Stale stale ->
          throw new RuleViolation(
              ONCE, "client " + number + " waits for " + request + ", and " + stale);
      case SubmissionResult.Refused _, SubmissionResult.Unknown _ ->
          timeline.after(200 * MILLI, () -> again(thisTry));
    }
  }
}
