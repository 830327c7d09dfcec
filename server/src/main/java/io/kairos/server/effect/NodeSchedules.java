package io.kairos.server.effect;

import com.google.protobuf.Timestamp;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.DecideDueRequest;
import io.kairos.api.v1.DecideDueResponse;
import io.kairos.api.v1.ListSchedulesRequest;
import io.kairos.api.v1.ListSchedulesResponse;
import io.kairos.api.v1.Schedule;
import io.kairos.api.v1.ScheduleServiceGrpc.ScheduleServiceStub;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.engine.cron.entry.BookCommand.ScheduleTime;
import io.kairos.engine.cron.schedule.DecidingNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Asks a node to decide and list the schedules whose decider is a replicated cron. Needs the roles
 * submit and read at the node.
 */
public final class NodeSchedules implements DecidingNode {
  private static final int PAGE_SIZE = 1_000;

  private final ScheduleServiceStub schedules;
  private final ScheduleCallEvents events;

  /** Connects at the first call. */
  public NodeSchedules(EdgeAccess access, EdgeClients clients, ScheduleCallEvents events) {
    this.schedules = clients.stub(access, ScheduleServiceStub.class, NodeCalls.ANSWER_WITHIN);
    this.events = events;
  }

  @Override
  public void decide(
      List<ScheduleName> names, Instant upTo, Consumer<Optional<List<ScheduleTime>>> answered) {
    DecideDueRequest.Builder request = DecideDueRequest.newBuilder().setUpTo(ProtoTime.of(upTo));
    names.forEach(name -> request.addNames(name.value()));
    schedules.decideDue(
        request.build(),
        new Heard<>(
            ScheduleCallEvents.Call.DECIDE,
            answer -> answer.getSchedulesList().stream().map(NodeSchedules::time).toList(),
            answered));
  }

  private static ScheduleTime time(DecideDueResponse.DecidedSchedule standing) {
    boolean isOurs =
        standing.getDecider() == Schedule.Decider.REPLICATED && standing.hasNextFireTime();
    return new ScheduleTime(
        new ScheduleName(standing.getName()), isOurs ? instant(standing.getNextFireTime()) : null);
  }

  @Override
  public void list(String token, Consumer<Optional<Page>> answered) {
    schedules.listSchedules(
        ListSchedulesRequest.newBuilder()
            .setDecider(Schedule.Decider.REPLICATED)
            .addStates(Schedule.State.ACTIVE)
            .setPageSize(PAGE_SIZE)
            .setPageToken(token)
            .build(),
        new Heard<>(ScheduleCallEvents.Call.LIST, NodeSchedules::page, answered));
  }

  private static Page page(ListSchedulesResponse answer) {
    List<ScheduleTime> due =
        answer.getSchedulesList().stream()
            .filter(Schedule::hasNextFireTime)
            .map(each ->
                new ScheduleTime(new ScheduleName(each.getName()), instant(each.getNextFireTime())))
            .toList();
    return new Page(due, answer.getNextPageToken());
  }

  /** The first whole millisecond that is not before {@code at}. */
  private static Instant instant(Timestamp at) {
    return Instant.ofEpochSecond(at.getSeconds(), at.getNanos())
        .plusNanos(999_999)
        .truncatedTo(ChronoUnit.MILLIS);
  }

  /** Passes on the node's answer, or an empty one after a failure. */
  private final class Heard<T, R> implements StreamObserver<T> {
    private final ScheduleCallEvents.Call call;
    private final Function<T, R> reading;
    private final Consumer<Optional<R>> answered;
    private Optional<R> answer = Optional.empty();
    private String unread = "nothing was answered";

    Heard(ScheduleCallEvents.Call call, Function<T, R> reading, Consumer<Optional<R>> answered) {
      this.call = call;
      this.reading = reading;
      this.answered = answered;
    }

    /** An answer of a newer node may be unreadable for this replica. */
    @Override
    public void onNext(T response) {
      try {
        answer = Optional.of(reading.apply(response));
      } catch (IllegalArgumentException e) {
        unread = String.valueOf(e.getMessage());
      }
    }

    @Override
    public void onCompleted() {
      if (answer.isPresent()) {
        events.answered(call);
      } else {
        events.notAnswered(call, unread);
      }
      answered.accept(answer);
    }

    @Override
    public void onError(Throwable error) {
      Status status = Status.fromThrowable(error);
      events.notAnswered(call, status.getCode() + ": " + status.getDescription());
      answered.accept(Optional.empty());
    }
  }
}
