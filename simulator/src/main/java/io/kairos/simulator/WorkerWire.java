package io.kairos.simulator;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import io.kairos.api.v1.HeartbeatRequest;
import io.kairos.api.v1.HeartbeatResponse;
import io.kairos.api.v1.HeartbeatResponse.Verdict;
import io.kairos.api.v1.LeaveRequest;
import io.kairos.api.v1.LeaveResponse;
import io.kairos.api.v1.NextWorkRequest;
import io.kairos.api.v1.NextWorkResponse;
import io.kairos.api.v1.Result;
import io.kairos.api.v1.SetResultRequest;
import io.kairos.api.v1.SetResultResponse;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.Outcome;
import io.kairos.domain.task.TaskHandler;
import io.kairos.domain.task.TaskId;
import io.kairos.engine.task.Answer;
import io.kairos.engine.task.HeartbeatResult;
import io.kairos.engine.task.Report;
import io.kairos.engine.task.ReportResult;
import io.kairos.engine.task.Work;
import io.kairos.engine.task.WorkRequest;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * One worker's way to one node: a model of the server's edge, which puts what the wire says into
 * the engine's words and back. What passes here is what the checkers believe of workers.
 */
final class WorkerWire {
  private static final long MICROS = 1_000_000;
  private static final int NANOS_PER_MICRO = 1_000;

  private final TaskWorld world;
  private final SimProcess worker;
  private final SimNode<TaskProcess> node;

  WorkerWire(TaskWorld world, SimProcess worker, SimNode<TaskProcess> node) {
    this.world = world;
    this.worker = worker;
    this.node = node;
  }

  /** Sends a request; the reply is told what the method of the request returns. */
  @SuppressWarnings("unchecked") // which method answers with what is known only here
  <A> Wire.Call<?> send(Object request, Wire.Reply<A> reply) {
    return switch (request) {
      case NextWorkRequest next -> nextWork(next, (Wire.Reply<NextWorkResponse>) reply);
      case HeartbeatRequest beat -> heartbeat(beat, (Wire.Reply<HeartbeatResponse>) reply);
      case SetResultRequest result -> setResult(result, (Wire.Reply<SetResultResponse>) reply);
      case LeaveRequest leave -> leave(leave, (Wire.Reply<LeaveResponse>) reply);
      default -> throw new IllegalArgumentException("no worker asks this: " + request);
    };
  }

  private Wire.Call<?> nextWork(NextWorkRequest asked, Wire.Reply<NextWorkResponse> reply) {
    WorkRequest request =
        new WorkRequest(
            asked.getWorker(),
            asked.getHandlersList().stream()
                .map(TaskHandler::ofWireName)
                .collect(Collectors.toSet()),
            asked.getMaxTasks(),
            asked.getMaxBytes());
    long waitNanos = duration(asked.getWait()).toNanos();
    return world
        .wire()
        .<List<Work>>call(
            worker,
            node,
            (process, call) -> process.nextWork(request, waitNanos, call),
            map(this::given, reply));
  }

  private NextWorkResponse given(List<Work> given) {
    NextWorkResponse.Builder answer =
        NextWorkResponse.newBuilder()
            .setLease(duration(world.tasks().config().lease()))
            .setHeartbeatInterval(duration(world.tasks().config().heartbeatInterval()));
    for (Work work : given) {
      answer
          .addWorkBuilder()
          .setId(work.task().id().toString())
          .setFence(work.task().fence())
          .setHandler(work.queue().handler().wireName())
          .setPriority(work.queue().priority())
          .setAttempt(work.attempt())
          .setRunAt(
              Timestamp.newBuilder()
                  .setSeconds(Math.floorDiv(work.dueMicros(), MICROS))
                  .setNanos((int) Math.floorMod(work.dueMicros(), MICROS) * NANOS_PER_MICRO))
          .setPayload(ByteString.copyFrom(work.details().payload()));
    }
    return answer.build();
  }

  private Wire.Call<?> heartbeat(HeartbeatRequest beat, Wire.Reply<HeartbeatResponse> reply) {
    List<FencedTask> held =
        beat.getHeldList().stream().map(one -> fenced(one.getId(), one.getFence())).toList();
    return world
        .wire()
        .<List<HeartbeatResult>>call(
            worker,
            node,
            (process, call) -> {
              if (!process.tasks().heartbeat(held, call)) {
                call.refused();
              }
            },
            map(WorkerWire::verdicts, reply));
  }

  private static HeartbeatResponse verdicts(List<HeartbeatResult> results) {
    HeartbeatResponse.Builder answer = HeartbeatResponse.newBuilder();
    for (HeartbeatResult result : results) {
      answer.addVerdicts(
          switch (result.beat()) {
            case EXTENDED -> Verdict.EXTENDED;
            case CANCEL_REQUESTED -> Verdict.CANCEL_REQUESTED;
            case LOST -> Verdict.LOST;
          });
    }
    return answer.build();
  }

  private Wire.Call<?> setResult(SetResultRequest said, Wire.Reply<SetResultResponse> reply) {
    List<Report> reports =
        said.getResultsList().stream()
            .map(one -> new Report(fenced(one.getId(), one.getFence()), outcome(one)))
            .toList();
    reports.forEach(report -> world.ledger().concluded(report.task(), report.outcome()));
    return world
        .wire()
        .<List<ReportResult>>call(
            worker,
            node,
            (process, call) -> {
              if (!process.tasks().report(reports, judged(reports, call))) {
                call.refused();
              }
            },
            map(WorkerWire::answers, reply));
  }

  /** What a node answers is judged whether the worker hears it or not. */
  private Answer<List<ReportResult>> judged(
      List<Report> reports, Answer<List<ReportResult>> answer) {
    return new Answer<>() {
      @Override
      public void answered(List<ReportResult> results) {
        for (int i = 0; i < reports.size(); i++) {
          Report report = reports.get(i);
          world.ledger().reported(report.task(), report.outcome(), results.get(i));
        }
        answer.answered(results);
      }

      @Override
      public void failed(RuntimeException cause) {
        answer.failed(cause);
      }
    };
  }

  private static SetResultResponse answers(List<ReportResult> results) {
    SetResultResponse.Builder answer = SetResultResponse.newBuilder();
    results.forEach(
        result -> answer.addAnswersBuilder().setAccepted(result instanceof ReportResult.Accepted));
    return answer.build();
  }

  private static Outcome outcome(Result result) {
    return switch (result.getOutcomeCase()) {
      case SUCCESS -> new Outcome.Succeeded();
      case RETRY_LATER -> {
        Result.RetryLater later = result.getRetryLater();
        yield later.hasDelay()
            ? new Outcome.RetryAfter(later.getError(), duration(later.getDelay()))
            : new Outcome.RetryLater(later.getError());
      }
      case FATAL -> new Outcome.Failed(result.getFatal().getError());
      case CANCELLED -> new Outcome.Cancelled();
      case NOT_BEGUN -> new Outcome.NotBegun();
      case OUTCOME_NOT_SET -> throw new IllegalArgumentException("a result without an outcome");
    };
  }

  private Wire.Call<?> leave(LeaveRequest leaving, Wire.Reply<LeaveResponse> reply) {
    return world
        .wire()
        .<LeaveResponse>call(
            worker,
            node,
            (process, call) -> {
              process.tasks().leave(leaving.getWorker());
              call.answered(LeaveResponse.getDefaultInstance());
            },
            reply);
  }

  private static <T, A> Wire.Reply<T> map(Function<T, A> words, Wire.Reply<A> reply) {
    return new Wire.Reply<>() {
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

  private static FencedTask fenced(String id, long fence) {
    return new FencedTask(new TaskId(UUID.fromString(id)), fence);
  }

  private static Duration duration(com.google.protobuf.Duration wire) {
    return Duration.ofSeconds(wire.getSeconds(), wire.getNanos());
  }

  private static com.google.protobuf.Duration duration(Duration length) {
    return com.google.protobuf.Duration.newBuilder()
        .setSeconds(length.getSeconds())
        .setNanos(length.getNano())
        .build();
  }

  @Override
  public String toString() {
    return worker + " to " + node;
  }
}
