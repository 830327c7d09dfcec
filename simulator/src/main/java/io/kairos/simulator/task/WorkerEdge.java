package io.kairos.simulator.task;

import io.kairos.api.v1.HeartbeatRequest;
import io.kairos.api.v1.HeartbeatResponse;
import io.kairos.api.v1.LeaveRequest;
import io.kairos.api.v1.LeaveResponse;
import io.kairos.api.v1.NextWorkRequest;
import io.kairos.api.v1.NextWorkResponse;
import io.kairos.api.v1.SetResultRequest;
import io.kairos.api.v1.SetResultResponse;
import io.kairos.edge.task.WorkerAnswers;
import io.kairos.edge.task.WorkerRequests;
import io.kairos.engine.task.edge.AnswerCallback;
import io.kairos.engine.task.edge.AttemptReport;
import io.kairos.engine.task.edge.ClaimedTask;
import io.kairos.engine.task.edge.HeartbeatResult;
import io.kairos.engine.task.edge.ReportResult;
import io.kairos.engine.task.edge.WorkRequest;
import io.kairos.engine.task.port.LeaseRenewal;
import io.kairos.engine.task.setup.TaskConfig;
import io.kairos.simulator.kernel.FiberGroup;
import io.kairos.simulator.kernel.NodeHost;
import java.util.List;
import java.util.function.Function;

/**
 * One worker's connection to one node: reads requests and writes answers like the production edge,
 * and records every result in the history.
 */
record WorkerEdge(TaskCluster world, FiberGroup worker, NodeHost<TaskNodeRun> node) {

  /** Sends a request; the reply is told what the method of the request returns. */
  @SuppressWarnings("unchecked") // which method answers with what is known only here
  <A> WorkerNetwork.Call<?> send(Object request, WorkerNetwork.Reply<A> reply) {
    return switch (request) {
      case NextWorkRequest next -> nextWork(next, (WorkerNetwork.Reply<NextWorkResponse>) reply);
      case HeartbeatRequest beat -> heartbeat(beat, (WorkerNetwork.Reply<HeartbeatResponse>) reply);
      case SetResultRequest result ->
          setResult(result, (WorkerNetwork.Reply<SetResultResponse>) reply);
      case LeaveRequest leave -> leave(leave, (WorkerNetwork.Reply<LeaveResponse>) reply);
      default -> throw new IllegalArgumentException("no worker asks this: " + request);
    };
  }

  private WorkerNetwork.Call<?> nextWork(
      NextWorkRequest asked, WorkerNetwork.Reply<NextWorkResponse> reply) {
    WorkRequest request = WorkerRequests.work(asked);
    long waitNanos = WorkerRequests.wait(asked).toNanos();
    TaskConfig config = world.tasks.config();
    return world.wire.<List<ClaimedTask>>call(
        worker,
        node,
        (process, call) -> process.nextWork(request, waitNanos, call),
        map(given -> WorkerAnswers.work(config.lease(), config.heartbeatInterval(), given), reply));
  }

  private WorkerNetwork.Call<?> heartbeat(
      HeartbeatRequest beat, WorkerNetwork.Reply<HeartbeatResponse> reply) {
    List<LeaseRenewal> held = WorkerRequests.held(beat, world.tasks.config().lease());
    return world.wire.<List<HeartbeatResult>>call(
        worker,
        node,
        (process, call) -> {
          if (!process.tasks().renew(held, call)) {
            call.refused();
          }
        },
        map(results -> WorkerAnswers.verdicts(results, true), reply));
  }

  private WorkerNetwork.Call<?> setResult(
      SetResultRequest said, WorkerNetwork.Reply<SetResultResponse> reply) {
    List<AttemptReport> reports = WorkerRequests.reports(said);
    reports.forEach(report -> world.ledger.concluded(report.task(), report.outcome()));
    return world.wire.<List<ReportResult>>call(
        worker,
        node,
        (process, call) -> {
          if (!process.tasks().report(reports, judged(reports, call))) {
            call.refused();
          }
        },
        map(results -> WorkerAnswers.answers(results, true), reply));
  }

  /** Judges the node's answer, which may be lost on its way to the worker. */
  private AnswerCallback<List<ReportResult>> judged(
      List<AttemptReport> reports, AnswerCallback<List<ReportResult>> answer) {
    return new AnswerCallback<>() {
      @Override
      public void answered(List<ReportResult> results) {
        for (int i = 0; i < reports.size(); i++) {
          AttemptReport report = reports.get(i);
          world.ledger.reported(report.task(), report.outcome(), results.get(i));
        }
        answer.answered(results);
      }

      @Override
      public void failed(RuntimeException cause) {
        answer.failed(cause);
      }
    };
  }

  private WorkerNetwork.Call<?> leave(
      LeaveRequest leaving, WorkerNetwork.Reply<LeaveResponse> reply) {
    return world.wire.<LeaveResponse>call(
        worker,
        node,
        (process, call) -> {
          process.tasks().leave(WorkerRequests.leaving(leaving));
          call.answered(LeaveResponse.getDefaultInstance());
        },
        reply);
  }

  private static <T, A> WorkerNetwork.Reply<T> map(
      Function<T, A> words, WorkerNetwork.Reply<A> reply) {
    return new WorkerNetwork.Reply<>() {
      @Override
      public void answered(T value) {
        reply.answered(words.apply(value));
      }

      @Override
      public void failed(boolean hasHappened) {
        reply.failed(hasHappened);
      }
    };
  }

  @Override
  public String toString() {
    return worker + " to " + node;
  }
}
