package io.kairos.edge.schedule;

import com.google.protobuf.Message;
import io.kairos.api.v1.ApplyScheduleRequest;
import io.kairos.api.v1.BackfillScheduleRequest;
import io.kairos.api.v1.CreateScheduleRequest;
import io.kairos.api.v1.DecideDueRequest;
import io.kairos.api.v1.DeleteCalendarRequest;
import io.kairos.api.v1.DeleteScheduleRequest;
import io.kairos.api.v1.ExplainScheduleRequest;
import io.kairos.api.v1.GetCalendarRequest;
import io.kairos.api.v1.GetScheduleRequest;
import io.kairos.api.v1.ListCalendarsRequest;
import io.kairos.api.v1.ListFiresRequest;
import io.kairos.api.v1.ListSchedulesRequest;
import io.kairos.api.v1.PauseScheduleRequest;
import io.kairos.api.v1.PreviewScheduleRequest;
import io.kairos.api.v1.PutCalendarRequest;
import io.kairos.api.v1.PutScheduleRequest;
import io.kairos.api.v1.ResumeScheduleRequest;
import io.kairos.api.v1.TriggerScheduleRequest;
import io.kairos.api.v1.UpdateScheduleRequest;
import io.kairos.edge.call.ReadyNode;
import io.kairos.edge.task.PoolTargets;
import io.kairos.engine.schedule.ScheduleEdge;
import java.time.InstantSource;
import java.util.Optional;

/**
 * What the calls about schedules do, for any door and for none. A call waits for the store on its
 * caller's thread. Thread-safe.
 */
public final class ScheduleDesks {
  private final ReadyNode node;
  private final ScheduleRequests requests;

  /** The calls of one node. */
  public ScheduleDesks(ReadyNode node, InstantSource clock, int maxPayloadBytes) {
    this.node = node;
    this.requests =
        new ScheduleRequests(
            new TargetRequests(clock, maxPayloadBytes, node::getMessages, new PoolTargets(node)));
  }

  ScheduleDesk schedules() {
    return new ScheduleDesk(node.getSchedules(), node.get().queues(), requests);
  }

  StoredSchedules stored() {
    return new StoredSchedules(node.getSchedules());
  }

  FireDesk fires() {
    ScheduleEdge edge = node.getSchedules();
    return new FireDesk(edge, node.get(), new StoredSchedules(edge));
  }

  CalendarDesk calendars() {
    return new CalendarDesk(node.getSchedules());
  }

  /** Answers a call; empty for one that is not about schedules. */
  public Optional<Message> answer(Object request) {
    return Optional.ofNullable(
        switch (request) {
          case CreateScheduleRequest asked -> schedules().create(asked);
          case ApplyScheduleRequest asked -> schedules().apply(asked);
          case PutScheduleRequest asked -> schedules().put(asked);
          case GetScheduleRequest asked -> stored().get(asked);
          case ListSchedulesRequest asked -> stored().list(asked);
          case UpdateScheduleRequest asked -> schedules().update(asked);
          case PauseScheduleRequest asked -> schedules().pause(asked);
          case ResumeScheduleRequest asked -> schedules().resume(asked);
          case DeleteScheduleRequest asked -> schedules().delete(asked);
          case PreviewScheduleRequest asked -> schedules().preview(asked);
          case TriggerScheduleRequest asked -> fires().trigger(asked);
          case BackfillScheduleRequest asked -> fires().backfill(asked);
          case DecideDueRequest asked -> fires().decideDue(asked);
          case ListFiresRequest asked -> fires().list(asked);
          case ExplainScheduleRequest asked -> fires().explain(asked);
          case PutCalendarRequest asked -> calendars().put(asked);
          case GetCalendarRequest asked -> calendars().get(asked);
          case ListCalendarsRequest asked -> calendars().list(asked);
          case DeleteCalendarRequest asked -> calendars().delete(asked);
          default -> null;
        });
  }
}
