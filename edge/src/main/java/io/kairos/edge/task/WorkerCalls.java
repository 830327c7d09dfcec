package io.kairos.edge.task;

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
import io.kairos.edge.call.WaitingItems;
import io.kairos.edge.caller.PresentCaller;
import io.kairos.engine.task.edge.AttemptReport;
import io.kairos.engine.task.edge.ClaimedTask;
import io.kairos.engine.task.edge.HeartbeatResult;
import io.kairos.engine.task.edge.ReportResult;
import io.kairos.engine.task.edge.TaskEdge;
import io.kairos.engine.task.edge.TaskEdge.Waiting;
import io.kairos.engine.task.edge.WorkRequest;
import io.kairos.engine.task.port.LeaseRenewal;
import io.kairos.engine.worker.WorkerEdge;
import io.kairos.engine.worker.WorkerKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Serves workers' calls: for work, heartbeats and results. Called on the connections' threads; no
 * call blocks. A drained worker waits like others, but for the tasks of no handler.
 */
public final class WorkerCalls extends WorkerServiceGrpc.WorkerServiceImplBase {
  private final ReadyNode node;
  private final WaitingItems heartbeats;
  private final WaitingItems results;

  public WorkerCalls(ReadyNode node, WaitingItems heartbeats, WaitingItems results) {
    this.node = node;
    this.heartbeats = heartbeats;
    this.results = results;
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
    Optional<WorkerEdge> workers = node.workers();
    WorkerKey key = WorkerKey.of(wanted.worker(), wanted.caller());
    workers.ifPresent(known -> known.asks(key, () -> WorkerRequests.details(request)));
    boolean isDrained = isDrained(workers, key);
    Waiting waiting = tasks.nextWork(isDrained ? wanted.forNothing() : wanted, poll);
    poll.endsWithin(wait, waiting::end);
    if (!isDrained && isDrained(workers, key)) { // since it was looked at, so nobody ends the wait
      waiting.end();
    }
  }

  private static boolean isDrained(Optional<WorkerEdge> workers, WorkerKey key) {
    return workers.isPresent() && workers.get().isDrained(key);
  }

  @Override
  public void heartbeat(HeartbeatRequest request, StreamObserver<HeartbeatResponse> worker) {
    TaskEdge tasks = node.get();
    List<LeaseRenewal> held = WorkerRequests.held(request, tasks.lease());
    boolean tellsHolders = PresentCaller.scope().isWhole();
    WorkerKey key = WorkerKey.of(request.getWorker(), PresentCaller.name());
    node.workers().ifPresent(workers -> workers.beats(key));
    heartbeats.offer(
        held.size(),
        new CallReply<List<HeartbeatResult>, HeartbeatResponse>(
            worker, beaten -> WorkerAnswers.verdicts(beaten, tellsHolders)),
        reply -> tasks.renew(held, reply));
  }

  @Override
  public void setResult(SetResultRequest request, StreamObserver<SetResultResponse> worker) {
    TaskEdge tasks = node.get();
    List<AttemptReport> reports = WorkerRequests.reports(request);
    boolean tellsHolders = PresentCaller.scope().isWhole();
    results.offer(
        reports.size(),
        new CallReply<List<ReportResult>, SetResultResponse>(
            worker, ended -> WorkerAnswers.answers(ended, tellsHolders)),
        reply -> tasks.report(reports, reply));
  }

  @Override
  public void leave(LeaveRequest request, StreamObserver<LeaveResponse> worker) {
    node.get().leave(WorkerRequests.leaving(request), PresentCaller.name());
    worker.onNext(LeaveResponse.getDefaultInstance());
    worker.onCompleted();
  }
}
