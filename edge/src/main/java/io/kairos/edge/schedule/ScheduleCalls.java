package io.kairos.edge.schedule;

import io.grpc.stub.StreamObserver;
import io.kairos.api.v1.ApplyScheduleRequest;
import io.kairos.api.v1.ApplyScheduleResponse;
import io.kairos.api.v1.BackfillScheduleRequest;
import io.kairos.api.v1.BackfillScheduleResponse;
import io.kairos.api.v1.Calendar;
import io.kairos.api.v1.CreateScheduleRequest;
import io.kairos.api.v1.DecideDueRequest;
import io.kairos.api.v1.DecideDueResponse;
import io.kairos.api.v1.DeleteCalendarRequest;
import io.kairos.api.v1.DeleteCalendarResponse;
import io.kairos.api.v1.DeleteScheduleRequest;
import io.kairos.api.v1.DeleteScheduleResponse;
import io.kairos.api.v1.ExplainScheduleRequest;
import io.kairos.api.v1.ExplainScheduleResponse;
import io.kairos.api.v1.GetCalendarRequest;
import io.kairos.api.v1.GetScheduleRequest;
import io.kairos.api.v1.ListCalendarsRequest;
import io.kairos.api.v1.ListCalendarsResponse;
import io.kairos.api.v1.ListFiresRequest;
import io.kairos.api.v1.ListFiresResponse;
import io.kairos.api.v1.ListSchedulesRequest;
import io.kairos.api.v1.ListSchedulesResponse;
import io.kairos.api.v1.PauseScheduleRequest;
import io.kairos.api.v1.PreviewScheduleRequest;
import io.kairos.api.v1.PreviewScheduleResponse;
import io.kairos.api.v1.PutCalendarRequest;
import io.kairos.api.v1.ResumeScheduleRequest;
import io.kairos.api.v1.Schedule;
import io.kairos.api.v1.ScheduleServiceGrpc;
import io.kairos.api.v1.TriggerScheduleRequest;
import io.kairos.api.v1.TriggerScheduleResponse;
import io.kairos.api.v1.UpdateScheduleRequest;
import io.kairos.edge.call.ReadyNode;
import io.kairos.edge.call.StoreCalls;
import io.kairos.edge.task.PoolTargets;
import io.kairos.engine.schedule.ScheduleEdge;
import java.time.InstantSource;

/**
 * Serves calls about schedules. Called on the connections' threads; every call is checked, and
 * waits for the store, on another thread.
 */
public final class ScheduleCalls extends ScheduleServiceGrpc.ScheduleServiceImplBase {
  private final ReadyNode node;
  private final ScheduleRequests requests;
  private final StoreCalls store;

  public ScheduleCalls(ReadyNode node, InstantSource clock, int maxPayloadBytes, StoreCalls store) {
    this.node = node;
    this.store = store;
    this.requests =
        new ScheduleRequests(
            new TargetRequests(clock, maxPayloadBytes, node::getMessages, new PoolTargets(node)));
  }

  private ScheduleDesk schedules() {
    return new ScheduleDesk(node.getSchedules(), requests);
  }

  private StoredSchedules stored() {
    return new StoredSchedules(node.getSchedules());
  }

  private FireDesk fires() {
    ScheduleEdge edge = node.getSchedules();
    return new FireDesk(edge, node.get(), new StoredSchedules(edge));
  }

  private CalendarDesk calendars() {
    return new CalendarDesk(node.getSchedules());
  }

  @Override
  public void createSchedule(CreateScheduleRequest request, StreamObserver<Schedule> caller) {
    store.answer(caller, () -> schedules().create(request));
  }

  @Override
  public void applySchedule(
      ApplyScheduleRequest request, StreamObserver<ApplyScheduleResponse> caller) {
    store.answer(caller, () -> schedules().apply(request));
  }

  @Override
  public void getSchedule(GetScheduleRequest request, StreamObserver<Schedule> caller) {
    store.answer(caller, () -> stored().get(request));
  }

  @Override
  public void listSchedules(
      ListSchedulesRequest request, StreamObserver<ListSchedulesResponse> caller) {
    store.answer(caller, () -> stored().list(request));
  }

  @Override
  public void updateSchedule(UpdateScheduleRequest request, StreamObserver<Schedule> caller) {
    store.answer(caller, () -> schedules().update(request));
  }

  @Override
  public void pauseSchedule(PauseScheduleRequest request, StreamObserver<Schedule> caller) {
    store.answer(caller, () -> schedules().pause(request));
  }

  @Override
  public void resumeSchedule(ResumeScheduleRequest request, StreamObserver<Schedule> caller) {
    store.answer(caller, () -> schedules().resume(request));
  }

  @Override
  public void deleteSchedule(
      DeleteScheduleRequest request, StreamObserver<DeleteScheduleResponse> caller) {
    store.answer(caller, () -> schedules().delete(request));
  }

  @Override
  public void previewSchedule(
      PreviewScheduleRequest request, StreamObserver<PreviewScheduleResponse> caller) {
    store.answer(caller, () -> schedules().preview(request));
  }

  @Override
  public void triggerSchedule(
      TriggerScheduleRequest request, StreamObserver<TriggerScheduleResponse> caller) {
    store.answer(caller, () -> fires().trigger(request));
  }

  @Override
  public void backfillSchedule(
      BackfillScheduleRequest request, StreamObserver<BackfillScheduleResponse> caller) {
    store.answer(caller, () -> fires().backfill(request));
  }

  @Override
  public void decideDue(DecideDueRequest request, StreamObserver<DecideDueResponse> caller) {
    store.answer(caller, () -> fires().decideDue(request));
  }

  @Override
  public void listFires(ListFiresRequest request, StreamObserver<ListFiresResponse> caller) {
    store.answer(caller, () -> fires().list(request));
  }

  @Override
  public void explainSchedule(
      ExplainScheduleRequest request, StreamObserver<ExplainScheduleResponse> caller) {
    store.answer(caller, () -> fires().explain(request));
  }

  @Override
  public void putCalendar(PutCalendarRequest request, StreamObserver<Calendar> caller) {
    store.answer(caller, () -> calendars().put(request));
  }

  @Override
  public void getCalendar(GetCalendarRequest request, StreamObserver<Calendar> caller) {
    store.answer(caller, () -> calendars().get(request));
  }

  @Override
  public void listCalendars(
      ListCalendarsRequest request, StreamObserver<ListCalendarsResponse> caller) {
    store.answer(caller, () -> calendars().list());
  }

  @Override
  public void deleteCalendar(
      DeleteCalendarRequest request, StreamObserver<DeleteCalendarResponse> caller) {
    store.answer(caller, () -> calendars().delete(request));
  }
}
