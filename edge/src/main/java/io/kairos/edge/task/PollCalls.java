package io.kairos.edge.task;

import static io.kairos.edge.task.RequestFields.duration;

import io.grpc.stub.StreamObserver;
import io.kairos.api.v1.PollRequest;
import io.kairos.api.v1.PollResponse;
import io.kairos.api.v1.PollServiceGrpc;
import io.kairos.edge.refusal.Refusals;
import io.kairos.edge.refusal.WireEnum;
import io.kairos.engine.poll.StepPolling;
import io.kairos.engine.poll.StepReport;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Serves requests to run the node's steps now. Called on the connections' threads; a poll waits for
 * the steps without a thread of its own.
 */
public final class PollCalls extends PollServiceGrpc.PollServiceImplBase {
  private static final Duration DEFAULT_WITHIN = Duration.ofSeconds(5);
  private static final Duration LONGEST_WITHIN = Duration.ofSeconds(60);

  private static final WireEnum<StepReport.Outcome, PollResponse.Step.Outcome> OUTCOMES =
      new WireEnum<>(StepReport.Outcome.class, PollResponse.Step.Outcome.class);

  private final Supplier<Optional<StepPolling>> node;

  /**
   * @param node the node's steps; empty while the node is not ready
   */
  public PollCalls(Supplier<Optional<StepPolling>> node) {
    this.node = node;
  }

  @Override
  public void poll(PollRequest request, StreamObserver<PollResponse> caller) {
    Duration within = duration(request, "within", LONGEST_WITHIN, DEFAULT_WITHIN);
    StepPolling polling = node.get().orElseThrow(Refusals::notReady);
    LongPoll<List<StepReport>, PollResponse> waiting =
        new LongPoll<>(caller, PollCalls::words, _ -> {});
    StepPolling.Poll poll = polling.poll(waiting::answered).orElseThrow(Refusals::tooMuch);
    waiting.endsWithin(within, poll::end);
  }

  private static PollResponse words(List<StepReport> reports) {
    PollResponse.Builder answer = PollResponse.newBuilder();
    for (StepReport report : reports) {
      answer.addSteps(
          PollResponse.Step.newBuilder()
              .setName(report.step())
              .setOutcome(OUTCOMES.write(report.outcome()))
              .setRounds(report.rounds())
              .setDone(report.done()));
    }
    return answer.build();
  }
}
