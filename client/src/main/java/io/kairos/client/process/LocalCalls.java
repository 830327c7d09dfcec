package io.kairos.client.process;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.HeartbeatRequest;
import io.kairos.api.v1.HeartbeatResponse;
import io.kairos.api.v1.HeartbeatResponse.Verdict;
import io.kairos.api.v1.NextWorkRequest;
import io.kairos.api.v1.NextWorkResponse;
import io.kairos.api.v1.Result;
import io.kairos.api.v1.SetResultRequest;
import io.kairos.api.v1.SetResultResponse;
import io.kairos.api.v1.WorkerServiceGrpc;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * The API for one executor process: the worker service of a node, one task per answer. Never
 * blocks.
 */
final class LocalCalls extends WorkerServiceGrpc.WorkerServiceImplBase {
  private static final Duration DEFAULT_WAIT = Duration.ofSeconds(30);

  private final ExecutorSlot slot;

  LocalCalls(ExecutorSlot slot) {
    this.slot = slot;
  }

  @Override
  public void nextWork(NextWorkRequest request, StreamObserver<NextWorkResponse> caller) {
    ExecutorSlot.Poll poll =
        new ExecutorSlot.Poll(
            Set.copyOf(request.getHandlersList()),
            work -> {
              caller.onNext(work);
              caller.onCompleted();
            });
    ((ServerCallStreamObserver<NextWorkResponse>) caller).setOnCancelHandler(() -> slot.gone(poll));
    Duration wait = request.hasWait() ? ProtoTime.of(request.getWait()) : DEFAULT_WAIT;
    slot.polled(poll, wait);
  }

  @Override
  public void heartbeat(HeartbeatRequest request, StreamObserver<HeartbeatResponse> caller) {
    HeartbeatResponse.Builder answer = HeartbeatResponse.newBuilder();
    for (HeartbeatRequest.Held held : request.getHeldList()) {
      Optional<Verdict> verdict = slot.beaten(held.getId(), held.getFence());
      if (verdict.isEmpty()) {
        // The heartbeat fails, because the controller's own heartbeats are not acknowledged either.
        caller.onError(
            Status.UNAVAILABLE
                .withDescription("the controller does not reach a node; its lease is running out")
                .asRuntimeException());
        return;
      }
      if (held.hasProgress()) {
        slot.progressed(held.getId(), held.getFence(), held.getProgress());
      }
      answer.addAnswersBuilder().setVerdict(verdict.get());
    }
    caller.onNext(answer.build());
    caller.onCompleted();
  }

  @Override
  public void setResult(SetResultRequest request, StreamObserver<SetResultResponse> caller) {
    SetResultResponse.Builder answer = SetResultResponse.newBuilder();
    for (Result result : request.getResultsList()) {
      boolean accepted = slot.reported(result);
      answer.addAnswers(
          SetResultResponse.Answer.newBuilder()
              .setAccepted(accepted)
              .setReason(accepted ? "" : "this executor does not hold the task with this fence"));
    }
    caller.onNext(answer.build());
    caller.onCompleted();
  }
}
