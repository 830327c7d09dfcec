package io.kairos.edge.task;

import static io.kairos.api.text.GivenValue.ifGiven;

import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.HeartbeatResponse;
import io.kairos.api.v1.HeartbeatResponse.Verdict;
import io.kairos.api.v1.NextWorkResponse;
import io.kairos.api.v1.SetResultResponse;
import io.kairos.api.v1.SetResultResponse.Answer;
import io.kairos.domain.task.TaskDetails;
import io.kairos.edge.call.PayloadBytes;
import io.kairos.edge.refusal.WireEnum;
import io.kairos.engine.task.edge.ClaimedTask;
import io.kairos.engine.task.edge.HeartbeatResult;
import io.kairos.engine.task.edge.ReportResult;
import io.kairos.engine.task.port.HeartbeatFinding;
import io.kairos.engine.task.port.Predecessors;
import io.kairos.engine.task.port.TaskHolder;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes work, heartbeat verdicts and report results as API messages. */
public final class WorkerAnswers {
  private static final String OLD_FENCE = "fence: is an old one, or of another worker's attempt";
  private static final WireEnum<HeartbeatFinding, Verdict> VERDICTS =
      new WireEnum<>(HeartbeatFinding.class, Verdict.class);
  private static final Answer ACCEPTED = Answer.newBuilder().setAccepted(true).build();

  private WorkerAnswers() {}

  public static NextWorkResponse work(
      Duration lease, Duration heartbeatInterval, List<ClaimedTask> given) {
    NextWorkResponse.Builder answer =
        NextWorkResponse.newBuilder()
            .setLease(ProtoTime.of(lease))
            .setHeartbeatInterval(ProtoTime.of(heartbeatInterval));
    given.forEach(work -> answer.addWork(work(work)));
    return answer.build();
  }

  private static io.kairos.api.v1.Work work(ClaimedTask work) {
    TaskDetails details = work.details();
    io.kairos.api.v1.Work.Builder words =
        io.kairos.api.v1.Work.newBuilder()
            .setId(work.task().id().toString())
            .setFence(work.task().fence())
            .setHandler(work.queue().handler().wireName())
            .setPriority(work.queue().priority())
            .setAttempt(work.attempt())
            .setRunAt(TaskAnswers.timestamp(work.dueMicros()))
            .setPayload(PayloadBytes.out(details.payload()));
    ifGiven(details.executionTimeout(), time -> words.setExecutionTimeout(ProtoTime.of(time)));
    ifGiven(details.traceContext(), trace -> words.setTraceparent(trace.traceparent()));
    ifGiven(details.key(), key -> words.setKey(key.value()));
    ifGiven(details.collection(), collection -> words.setCollection(collection.value()));
    ifGiven(details.fairness(), fairness -> words.setFairnessKey(fairness.key()));
    work.predecessors().some().forEach(one -> words.addPredecessors(predecessor(one)));
    words.setMorePredecessors(!work.predecessors().isWhole());
    return words.build();
  }

  private static io.kairos.api.v1.Work.Predecessor predecessor(Predecessors.Predecessor given) {
    io.kairos.api.v1.Work.Predecessor.Builder words =
        io.kairos.api.v1.Work.Predecessor.newBuilder()
            .setId(given.id().toString())
            .setResultBytes(given.valueBytes())
            .setBatch(given.isBatch());
    ifGiven(given.handler(), handler -> words.setHandler(handler.wireName()));
    ifGiven(given.state(), state -> words.setState(TaskAnswers.STATES.write(state)));
    ifGiven(given.value(), value -> words.setResult(TaskAnswers.result(value)));
    return words.build();
  }

  /**
   * The answer to a heartbeat.
   *
   * @param tellsHolders false for a caller who may not know who holds what is lost
   */
  public static HeartbeatResponse verdicts(List<HeartbeatResult> results, boolean tellsHolders) {
    HeartbeatResponse.Builder answer = HeartbeatResponse.newBuilder();
    for (HeartbeatResult result : results) {
      answer
          .addAnswersBuilder()
          .setVerdict(VERDICTS.write(result.beat()))
          .setReason(result.beat() == HeartbeatFinding.LOST ? lost(result, tellsHolders) : "");
    }
    return answer.build();
  }

  private static String lost(HeartbeatResult result, boolean tellsHolders) {
    return tellsHolders && result.holder() == null
        ? OLD_FENCE + "; nobody is known to hold the task now"
        : oldFence(result.holder(), tellsHolders);
  }

  /**
   * The answer to reports.
   *
   * @param tellsHolders false for a caller who may not know who holds what is refused
   */
  public static SetResultResponse answers(List<ReportResult> results, boolean tellsHolders) {
    SetResultResponse.Builder answer = SetResultResponse.newBuilder();
    for (ReportResult result : results) {
      answer.addAnswers(
          switch (result) {
            case ReportResult.Accepted() -> ACCEPTED;
            case ReportResult.HeldBy(var holder) -> refused(holder, tellsHolders);
            case ReportResult.NotHeld() -> refused(null, tellsHolders);
          });
    }
    return answer.build();
  }

  private static Answer refused(@Nullable TaskHolder holder, boolean tellsHolders) {
    return Answer.newBuilder().setReason(oldFence(holder, tellsHolders)).build();
  }

  /** Without names there is one answer to all, as the ids may be of handlers of others. */
  private static String oldFence(@Nullable TaskHolder holder, boolean tellsHolders) {
    if (!tellsHolders) {
      return OLD_FENCE;
    }
    return OLD_FENCE
        + (holder == null
            ? "; nobody holds the task now: it waits for another attempt, has ended, or is unknown"
            : "; " + holder.name() + " holds the task now, with fence " + holder.fence());
  }
}
