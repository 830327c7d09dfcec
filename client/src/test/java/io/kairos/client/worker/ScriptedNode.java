package io.kairos.client.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Duration;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.StreamObserver;
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
import io.kairos.api.v1.Work;
import io.kairos.api.v1.WorkerServiceGrpc;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A node as workers see it, played by a test. In-process; answers on the test's thread. */
final class ScriptedNode implements AutoCloseable {
  private static final AtomicInteger NUMBER = new AtomicInteger();

  final BlockingQueue<Poll> polls = new LinkedBlockingQueue<>();
  final BlockingQueue<Report> reports = new LinkedBlockingQueue<>();
  final BlockingQueue<String> leaving = new LinkedBlockingQueue<>();
  final BlockingQueue<HeartbeatRequest> heartbeats = new LinkedBlockingQueue<>();

  /** Null for no answer at all. */
  volatile @Nullable Function<HeartbeatRequest.Held, Verdict> verdict = held -> Verdict.EXTENDED;

  /** False: the test answers by itself. */
  volatile boolean acceptsReports = true;

  final String name = "worker-node-" + NUMBER.incrementAndGet();
  private final Server server;

  ScriptedNode() {
    try {
      server =
          InProcessServerBuilder.forName(name).directExecutor().addService(new Service()).build();
      server.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A call for work that waits. */
  record Poll(NextWorkRequest request, StreamObserver<NextWorkResponse> observer) {
    void give(Work... work) {
      observer.onNext(
          NextWorkResponse.newBuilder()
              .addAllWork(List.of(work))
              .setLease(Duration.newBuilder().setSeconds(4).setNanos(500_000_000))
              .setHeartbeatInterval(Duration.newBuilder().setSeconds(1))
              .build());
      observer.onCompleted();
    }
  }

  /** Results that the test answers. */
  record Report(SetResultRequest request, StreamObserver<SetResultResponse> observer) {
    void accept() {
      SetResultResponse.Builder answer = SetResultResponse.newBuilder();
      request.getResultsList().forEach(any -> answer.addAnswersBuilder().setAccepted(true));
      observer.onNext(answer.build());
      observer.onCompleted();
    }

    void fail(Status status) {
      observer.onError(status.asRuntimeException());
    }

    List<Result> results() {
      return request.getResultsList();
    }
  }

  Poll poll() {
    return take(polls);
  }

  Report report() {
    return take(reports);
  }

  /** Of the next report, which has one. */
  Result result() {
    List<Result> results = report().results();
    assertThat(results).hasSize(1);
    return results.get(0);
  }

  static <T> T take(BlockingQueue<T> queue) {
    try {
      T taken = queue.poll(20, TimeUnit.SECONDS);
      assertThat(taken).as("what a worker should have done by now").isNotNull();
      return java.util.Objects.requireNonNull(taken);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    server.shutdownNow();
  }

  private final class Service extends WorkerServiceGrpc.WorkerServiceImplBase {
    @Override
    public void nextWork(NextWorkRequest request, StreamObserver<NextWorkResponse> observer) {
      polls.add(new Poll(request, observer));
    }

    @Override
    public void leave(LeaveRequest request, StreamObserver<LeaveResponse> observer) {
      leaving.add(request.getWorker());
      observer.onNext(LeaveResponse.getDefaultInstance());
      observer.onCompleted();
    }

    @Override
    public void heartbeat(HeartbeatRequest request, StreamObserver<HeartbeatResponse> observer) {
      Function<HeartbeatRequest.Held, Verdict> judge = verdict;
      heartbeats.add(request);
      if (judge != null) {
        HeartbeatResponse.Builder answer = HeartbeatResponse.newBuilder();
        request
            .getHeldList()
            .forEach(held -> answer.addAnswersBuilder().setVerdict(judge.apply(held)));
        observer.onNext(answer.build());
        observer.onCompleted();
      }
    }

    @Override
    public void setResult(SetResultRequest request, StreamObserver<SetResultResponse> observer) {
      Report report = new Report(request, observer);
      boolean accepts = acceptsReports;
      reports.add(report);
      if (accepts) {
        report.accept();
      }
    }
  }
}
