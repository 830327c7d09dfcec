package io.kairos.edge.task;

import static io.kairos.edge.refusal.CallRefusals.requireRoom;

import io.grpc.stub.StreamObserver;
import io.kairos.api.v1.HeartbeatRequest;
import io.kairos.api.v1.HeartbeatResponse;
import io.kairos.api.v1.LeaveRequest;
import io.kairos.api.v1.LeaveResponse;
import io.kairos.api.v1.NextWorkRequest;
import io.kairos.api.v1.NextWorkResponse;
import io.kairos.api.v1.SetResultRequest;
import io.kairos.api.v1.SetResultResponse;
import io.kairos.api.v1.WorkerServiceGrpc;
import io.kairos.edge.call.CallReply;
import io.kairos.edge.call.ReadyNode;
import io.kairos.engine.task.edge.ClaimedTask;
import io.kairos.engine.task.edge.TaskEdge;
import io.kairos.engine.task.edge.WorkRequest;
import java.time.Duration;
import java.util.List;

/**
 * Serves workers' calls: for work, heartbeats and results. Called on the connections' threads; no
 * call blocks.
 */
public final class WorkerCalls extends WorkerServiceGrpc.WorkerServiceImplBase {
  private final ReadyNode node;

  public WorkerCalls(ReadyNode node) {
    this.node = node;
  }

  @Override
  public void nextWork(NextWorkRequest request, StreamObserver<NextWorkResponse> worker) {
    TaskEdge tasks = node.get();
    WorkRequest wanted = WorkerRequests.work(request);
    Duration wait = WorkerRequests.wait(request);
    LongPoll<List<ClaimedTask>, NextWorkResponse> poll =
        new LongPoll<>(
            worker,
            work -> WorkerAnswers.work(tasks.lease(), tasks.heartbeatInterval(), work),
            tasks::giveBack);
    poll.endsWithin(wait, tasks.nextWork(wanted, poll)::end);
  }

  @Override
  public void heartbeat(HeartbeatRequest request, StreamObserver<HeartbeatResponse> worker) {
    TaskEdge tasks = node.get();
    requireRoom(
        tasks.heartbeat(
            WorkerRequests.held(request), new CallReply<>(worker, WorkerAnswers::verdicts)));
  }

  @Override
  public void setResult(SetResultRequest request, StreamObserver<SetResultResponse> worker) {
    TaskEdge tasks = node.get();
    requireRoom(
        tasks.report(
            WorkerRequests.reports(request), new CallReply<>(worker, WorkerAnswers::answers)));
  }

  @Override
  public void leave(LeaveRequest request, StreamObserver<LeaveResponse> worker) {
    node.get().leave(WorkerRequests.leaving(request));
    worker.onNext(LeaveResponse.getDefaultInstance());
    worker.onCompleted();
  }
}
