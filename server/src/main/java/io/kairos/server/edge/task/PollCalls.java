package io.kairos.server.edge.task;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.kairos.api.v1.PollRequest;
import io.kairos.api.v1.PollResponse;
import io.kairos.api.v1.PollServiceGrpc;
import io.kairos.engine.poll.Polling;
import io.kairos.engine.poll.StepReport;
import io.kairos.server.edge.refusal.Refusals;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Polls from outside (PH-11). Called on the connections' threads; a poll waits for the node's steps
 * without a thread of its own.
 */
public final class PollCalls extends PollServiceGrpc.PollServiceImplBase {
  private static final Duration DEFAULT_WITHIN = Duration.ofSeconds(5);
  private static final Duration LONGEST_WITHIN = Duration.ofSeconds(60);

  private final Supplier<Optional<Polling>> node;

  /**
   * @param node empty while it is not ready
   */
  public PollCalls(Supplier<Optional<Polling>> node) {
    this.node = node;
  }

  @Override
  public void poll(PollRequest request, StreamObserver<PollResponse> caller) {
    Duration within =
        request.hasWithin()
            ? Fields.duration("within", request.getWithin(), LONGEST_WITHIN)
            : DEFAULT_WITHIN;
    Polling polling = node.get().orElseThrow(Refusals::notReady);
    Waiting waiting =
        new Waiting(
            (ServerCallStreamObserver<PollResponse>) caller,
            ServiceRequestContext.current().eventLoop());
    Polling.Poll poll = polling.poll(waiting).orElseThrow(Refusals::tooMuch);
    waiting.endsBy(poll, within);
  }

  /** Who waits for the end of a poll; lives on the thread of its connection. */
  private static final class Waiting implements Consumer<List<StepReport>> {
    private final ServerCallStreamObserver<PollResponse> caller;
    private final EventLoop thread;
    private @Nullable ScheduledFuture<?> end;

    Waiting(ServerCallStreamObserver<PollResponse> caller, EventLoop thread) {
      this.caller = caller;
      this.thread = thread;
    }

    void endsBy(Polling.Poll poll, Duration within) {
      caller.setOnCancelHandler(poll::end);
      end = thread.schedule(poll::end, within.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void accept(List<StepReport> reports) {
      thread.execute(() -> {
        if (end != null) {
          end.cancel(false);
        }
        if (!caller.isCancelled()) {
          caller.onNext(words(reports));
          caller.onCompleted();
        }
      });
    }
  }

  private static PollResponse words(List<StepReport> reports) {
    PollResponse.Builder answer = PollResponse.newBuilder();
    for (StepReport report : reports) {
      answer.addSteps(
          PollResponse.Step.newBuilder()
              .setName(report.step())
              .setOutcome(word(report.outcome()))
              .setRounds(report.rounds())
              .setDone(report.done()));
    }
    return answer.build();
  }

  private static PollResponse.Step.Outcome word(StepReport.Outcome outcome) {
    return switch (outcome) {
      case AT_REST -> PollResponse.Step.Outcome.AT_REST;
      case UNFINISHED -> PollResponse.Step.Outcome.UNFINISHED;
      case FAILED -> PollResponse.Step.Outcome.FAILED;
    };
  }
}
