package io.kairos.client.process;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
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
 * What one executor process calls: the same service as a node's, for one task at a time. Never
 * blocks.
 */
final class LocalCalls extends WorkerServiceGrpc.WorkerServiceImplBase {
  private static final Duration DEFAULT_WAIT = Duration.ofSeconds(30);

  private final Slot slot;

  LocalCalls(Slot slot) {
    this.slot = slot;
  }

  @Override
  public void nextWork(NextWorkRequest request, StreamObserver<NextWorkResponse> caller) {
    Slot.Poll poll =
        new Slot.Poll(
            Set.copyOf(request.getHandlersList()),
            work -> {
              caller.onNext(work);
              caller.onCompleted();
            });
    ((ServerCallStreamObserver<NextWorkResponse>) caller).setOnCancelHandler(() -> slot.gone(poll));
    com.google.protobuf.Duration asked = request.getWait();
    Duration wait =
        request.hasWait() ? Duration.ofSeconds(asked.getSeconds(), asked.getNanos()) : DEFAULT_WAIT;
    slot.polled(poll, wait);
  }

  @Override
  public void heartbeat(HeartbeatRequest request, StreamObserver<HeartbeatResponse> caller) {
    HeartbeatResponse.Builder answer = HeartbeatResponse.newBuilder();
    for (HeartbeatRequest.Held held : request.getHeldList()) {
      Optional<Verdict> verdict = slot.beaten(held.getId(), held.getFence());
      if (verdict.isEmpty()) {
        // No word is the truth: the controller has none of the nodes either.
        caller.onError(
            Status.UNAVAILABLE
                .withDescription("the controller does not reach a node; its lease is running out")
                .asRuntimeException());
        return;
      }
      answer.addVerdicts(verdict.get());
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
