package io.kairos.testnode;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.AdvanceRequest;
import io.kairos.api.v1.AdvanceResponse;
import io.kairos.api.v1.AwaitQuiescenceRequest;
import io.kairos.api.v1.AwaitQuiescenceResponse;
import io.kairos.api.v1.GetTimeRequest;
import io.kairos.api.v1.GetTimeResponse;
import io.kairos.api.v1.TestClockGrpc;
import io.kairos.engine.task.port.operator.TaskView;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Serves the clock's API to the test. One call at a time advances the clock or waits, on a separate
 * thread.
 */
final class TestClockCalls extends TestClockGrpc.TestClockImplBase implements AutoCloseable {
  private final TurnedClock clock;
  private final NodeQuiescence quiescence;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("kairos-test").factory());

  TestClockCalls(TurnedClock clock, NodeQuiescence quiescence) {
    this.clock = clock;
    this.quiescence = quiescence;
  }

  @Override
  public void getTime(GetTimeRequest request, StreamObserver<GetTimeResponse> caller) {
    caller.onNext(GetTimeResponse.newBuilder().setTime(ProtoTime.of(clock.instant())).build());
    caller.onCompleted();
  }

  @Override
  public void advance(AdvanceRequest request, StreamObserver<AdvanceResponse> caller) {
    Instant to = ProtoTime.of(request.getTo());
    if (to.isBefore(clock.instant())) {
      caller.onError(
          Status.INVALID_ARGUMENT
              .withDescription("to: the clock shows " + clock.instant() + " and never goes back")
              .asRuntimeException());
      return;
    }
    if (request.getJump()) {
      clock.turnTo(to);
      caller.onNext(AdvanceResponse.getDefaultInstance());
      caller.onCompleted();
      return;
    }
    thread.execute(() -> answer(caller, AdvanceResponse.getDefaultInstance(), to));
  }

  @Override
  public void awaitQuiescence(
      AwaitQuiescenceRequest request, StreamObserver<AwaitQuiescenceResponse> caller) {
    thread.execute(
        () -> answer(caller, AwaitQuiescenceResponse.getDefaultInstance(), clock.instant()));
  }

  private <A> void answer(StreamObserver<A> caller, A answer, Instant to) {
    try {
      List<TaskView> performed = advance(to);
      if (performed.isEmpty()) {
        caller.onNext(answer);
        caller.onCompleted();
      } else {
        TaskView first = performed.getFirst();
        caller.onError(
            Status.FAILED_PRECONDITION
                .withDescription(
                    "still being performed after 30 s: %d tasks, such as %s of %s by %s"
                        .formatted(
                            performed.size(),
                            first.id(),
                            first.queue().handler(),
                            first.progress().holder()))
                .asRuntimeException());
      }
    } catch (InterruptedException e) {
      caller.onError(Status.CANCELLED.asRuntimeException());
    }
  }

  /** Advances the clock from one due task to the next. Returns tasks that do not end. */
  private List<TaskView> advance(Instant to) throws InterruptedException {
    quiescence.begin();
    while (true) {
      List<TaskView> performed = quiescence.await();
      if (!performed.isEmpty() || !clock.instant().isBefore(to)) {
        return performed;
      }
      Optional<Instant> next = quiescence.next();
      clock.turnTo(next.filter(due -> due.isBefore(to)).orElse(to));
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
