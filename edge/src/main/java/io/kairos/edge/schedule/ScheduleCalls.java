package io.kairos.edge.schedule;

import static io.kairos.api.v1.ScheduleServiceGrpc.getApplyScheduleMethod;
import static io.kairos.api.v1.ScheduleServiceGrpc.getBackfillScheduleMethod;
import static io.kairos.api.v1.ScheduleServiceGrpc.getCreateScheduleMethod;
import static io.kairos.api.v1.ScheduleServiceGrpc.getDecideDueMethod;
import static io.kairos.api.v1.ScheduleServiceGrpc.getDeleteCalendarMethod;
import static io.kairos.api.v1.ScheduleServiceGrpc.getDeleteScheduleMethod;
import static io.kairos.api.v1.ScheduleServiceGrpc.getExplainScheduleMethod;
import static io.kairos.api.v1.ScheduleServiceGrpc.getGetCalendarMethod;
import static io.kairos.api.v1.ScheduleServiceGrpc.getGetScheduleMethod;
import static io.kairos.api.v1.ScheduleServiceGrpc.getListCalendarsMethod;
import static io.kairos.api.v1.ScheduleServiceGrpc.getListFiresMethod;
import static io.kairos.api.v1.ScheduleServiceGrpc.getListPlannedFiresMethod;
import static io.kairos.api.v1.ScheduleServiceGrpc.getListSchedulesMethod;
import static io.kairos.api.v1.ScheduleServiceGrpc.getPauseScheduleMethod;
import static io.kairos.api.v1.ScheduleServiceGrpc.getPreviewScheduleMethod;
import static io.kairos.api.v1.ScheduleServiceGrpc.getPutCalendarMethod;
import static io.kairos.api.v1.ScheduleServiceGrpc.getPutScheduleMethod;
import static io.kairos.api.v1.ScheduleServiceGrpc.getResumeScheduleMethod;
import static io.kairos.api.v1.ScheduleServiceGrpc.getServiceDescriptor;
import static io.kairos.api.v1.ScheduleServiceGrpc.getTriggerScheduleMethod;
import static io.kairos.api.v1.ScheduleServiceGrpc.getUpdateScheduleMethod;

import io.grpc.BindableService;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCalls;
import io.kairos.api.v1.ListPlannedFiresRequest;
import io.kairos.api.v1.ListPlannedFiresResponse;
import io.kairos.edge.call.ReadyNode;
import io.kairos.edge.call.SharedAnswer.Keeping;
import io.kairos.edge.call.SharedAnswers;
import io.kairos.edge.call.StoreCalls;
import io.kairos.edge.caller.PresentCaller;
import io.kairos.edge.schedule.PlannedFireDesk.Question;
import java.time.InstantSource;
import java.util.concurrent.Semaphore;

/**
 * Serves calls about schedules. Every call is checked, and waits for the store, off the
 * connections' threads.
 */
public final class ScheduleCalls implements BindableService {
  private final ReadyNode node;
  private final ScheduleDesks desks;
  private final StoreCalls store;

  /** Few plans at a time: each reads many schedules. A screen asks for a month and a day of it. */
  private final Semaphore planning = new Semaphore(2);

  /** All who look at the same time share a plan, which takes one permit. */
  private final SharedAnswers<Question, ListPlannedFiresResponse> plans;

  public ScheduleCalls(ReadyNode node, InstantSource clock, int maxPayloadBytes, StoreCalls store) {
    this.node = node;
    this.store = store;
    this.plans =
        new SharedAnswers<>(store, clock, question -> planned().list(question), Keeping.asItTook());
    this.desks = new ScheduleDesks(node, clock, maxPayloadBytes);
  }

  private PlannedFireDesk planned() {
    return new PlannedFireDesk(node.getSchedules(), planning);
  }

  private ServerCallHandler<ListPlannedFiresRequest, ListPlannedFiresResponse> listPlannedFires() {
    return ServerCalls.asyncUnaryCall(
        (request, caller) -> plans.to(new Question(request, PresentCaller.scope()), caller));
  }

  @Override
  public ServerServiceDefinition bindService() {
    return ServerServiceDefinition.builder(getServiceDescriptor())
        .addMethod(getCreateScheduleMethod(), store.unary(asked -> desks.schedules().create(asked)))
        .addMethod(getApplyScheduleMethod(), store.unary(asked -> desks.schedules().apply(asked)))
        .addMethod(getPutScheduleMethod(), store.unary(asked -> desks.schedules().put(asked)))
        .addMethod(getGetScheduleMethod(), store.unary(asked -> desks.stored().get(asked)))
        .addMethod(getListSchedulesMethod(), store.unary(asked -> desks.stored().list(asked)))
        .addMethod(getUpdateScheduleMethod(), store.unary(asked -> desks.schedules().update(asked)))
        .addMethod(getPauseScheduleMethod(), store.unary(asked -> desks.schedules().pause(asked)))
        .addMethod(getResumeScheduleMethod(), store.unary(asked -> desks.schedules().resume(asked)))
        .addMethod(getDeleteScheduleMethod(), store.unary(asked -> desks.schedules().delete(asked)))
        .addMethod(
            getPreviewScheduleMethod(), store.unary(asked -> desks.schedules().preview(asked)))
        .addMethod(getTriggerScheduleMethod(), store.unary(asked -> desks.fires().trigger(asked)))
        .addMethod(getBackfillScheduleMethod(), store.unary(asked -> desks.fires().backfill(asked)))
        .addMethod(getDecideDueMethod(), store.unary(asked -> desks.fires().decideDue(asked)))
        .addMethod(getListFiresMethod(), store.unary(asked -> desks.fires().list(asked)))
        .addMethod(getExplainScheduleMethod(), store.unary(asked -> desks.fires().explain(asked)))
        .addMethod(getListPlannedFiresMethod(), listPlannedFires())
        .addMethod(getPutCalendarMethod(), store.unary(asked -> desks.calendars().put(asked)))
        .addMethod(getGetCalendarMethod(), store.unary(asked -> desks.calendars().get(asked)))
        .addMethod(getListCalendarsMethod(), store.unary(asked -> desks.calendars().list(asked)))
        .addMethod(getDeleteCalendarMethod(), store.unary(asked -> desks.calendars().delete(asked)))
        .build();
  }
}
