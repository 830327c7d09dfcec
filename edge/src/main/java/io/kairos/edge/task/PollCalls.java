package io.kairos.edge.task;

import static io.kairos.edge.task.RequestFields.duration;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.kairos.api.v1.PollRequest;
import io.kairos.api.v1.PollResponse;
import io.kairos.api.v1.PollServiceGrpc;
import io.kairos.edge.refusal.CallRefusals;
import io.kairos.edge.refusal.WireEnum;
import io.kairos.engine.poll.StepPolling;
import io.kairos.engine.poll.StepReport;
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
 * Serves requests to run the node's steps now (PH-11). Called on the connections' threads; a poll
 * waits for the steps without a thread of its own.
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
    Duration within =
        duration(
            "within", request.hasWithin(), request.getWithin(), LONGEST_WITHIN, DEFAULT_WITHIN);
    StepPolling polling = node.get().orElseThrow(CallRefusals::notReady);
    Waiting waiting =
        new Waiting(
            (ServerCallStreamObserver<PollResponse>) caller,
            ServiceRequestContext.current().eventLoop());
    StepPolling.Poll poll = polling.poll(waiting).orElseThrow(CallRefusals::tooMuch);
    waiting.endsBy(poll, within);
  }

  /**
   * A caller that waits for the end of a poll. Its state is used on its connection's thread only.
   */
  private static final class Waiting implements Consumer<List<StepReport>> {
    private final ServerCallStreamObserver<PollResponse> caller;
    private final EventLoop thread;
    private @Nullable ScheduledFuture<?> end;

    Waiting(ServerCallStreamObserver<PollResponse> caller, EventLoop thread) {
      this.caller = caller;
      this.thread = thread;
    }

    void endsBy(StepPolling.Poll poll, Duration within) {
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
              .setOutcome(OUTCOMES.write(report.outcome()))
              .setRounds(report.rounds())
              .setDone(report.done()));
    }
    return answer.build();
  }
}
