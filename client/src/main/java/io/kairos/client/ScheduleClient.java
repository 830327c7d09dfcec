package io.kairos.client;

import com.google.protobuf.FieldMask;
import io.kairos.api.v1.ApplyScheduleRequest;
import io.kairos.api.v1.BackfillScheduleRequest;
import io.kairos.api.v1.BackfillScheduleResponse;
import io.kairos.api.v1.Calendar;
import io.kairos.api.v1.CreateScheduleRequest;
import io.kairos.api.v1.DeleteCalendarRequest;
import io.kairos.api.v1.DeleteScheduleRequest;
import io.kairos.api.v1.ExplainScheduleRequest;
import io.kairos.api.v1.GetCalendarRequest;
import io.kairos.api.v1.GetScheduleRequest;
import io.kairos.api.v1.ListCalendarsRequest;
import io.kairos.api.v1.ListFiresRequest;
import io.kairos.api.v1.ListFiresResponse;
import io.kairos.api.v1.ListSchedulesRequest;
import io.kairos.api.v1.ListSchedulesResponse;
import io.kairos.api.v1.PauseScheduleRequest;
import io.kairos.api.v1.PreviewScheduleRequest;
import io.kairos.api.v1.PutCalendarRequest;
import io.kairos.api.v1.ResumeScheduleRequest;
import io.kairos.api.v1.Schedule;
import io.kairos.api.v1.ScheduleServiceGrpc;
import io.kairos.api.v1.TriggerScheduleRequest;
import io.kairos.api.v1.TriggerScheduleResponse;
import io.kairos.api.v1.UpdateScheduleRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Has work done again and again, shows when, and says why it was not. A view of a {@link
 * KairosClient}, with its nodes, token and manners; ends with it. Where there is no schedule with a
 * name it throws {@link TaskNotFoundException}, with the name that is nearest. Thread-safe.
 */
public final class ScheduleClient {
  private static final int MOST_IN_A_PAGE = 1_000;

  private final KairosClient client;
  private final RandomGenerator chance;

  ScheduleClient(KairosClient client, RandomGenerator chance) {
    this.client = client;
    this.chance = chance;
  }

  /**
   * Stores a new schedule. Throws {@link TaskConflictException} when there is one with its name.
   * Not repeated when its answer is lost; {@link #apply} is.
   */
  public ScheduleStatus create(ScheduleSpec spec) {
    return ScheduleProtos.status(
        client.call(
            ScheduleServiceGrpc.getCreateScheduleMethod(),
            CreateScheduleRequest.newBuilder().setSchedule(spec.wire()).build(),
            false));
  }

  /** Creates a schedule, or changes the one with its name into this. */
  public Applied apply(ScheduleSpec spec) {
    return apply(spec, false, List.of());
  }

  /** Says what {@link #apply} would do, and does nothing. */
  public Applied dryRun(ScheduleSpec spec) {
    return dryRun(spec, List.of());
  }

  /** The same, as if these business calendars were stored already; at most 16. */
  public Applied dryRun(ScheduleSpec spec, List<BusinessCalendar> calendars) {
    return apply(spec, true, calendars);
  }

  private Applied apply(ScheduleSpec spec, boolean dryRun, List<BusinessCalendar> calendars) {
    return ScheduleProtos.applied(
        client.call(
            ScheduleServiceGrpc.getApplyScheduleMethod(),
            ApplyScheduleRequest.newBuilder()
                .setSchedule(spec.wire())
                .setDryRun(dryRun)
                .addAllCalendars(calendars.stream().map(ScheduleProtos::calendar).toList())
                .build(),
            true));
  }

  public ScheduleStatus get(String name) {
    return ScheduleProtos.status(
        client.call(
            ScheduleServiceGrpc.getGetScheduleMethod(),
            GetScheduleRequest.newBuilder().setName(name).build(),
            true));
  }

  /** By name, without payloads and without fires. */
  public List<ScheduleStatus> list(ScheduleQuery query) {
    List<ScheduleStatus> found = new ArrayList<>();
    String page = query.after();
    do {
      ListSchedulesRequest.Builder request =
          ListSchedulesRequest.newBuilder()
              .setPrefix(query.prefix())
              .setPageSize(Math.min(MOST_IN_A_PAGE, query.limit() - found.size()))
              .setPageToken(page);
      query.states().forEach(state -> request.addStates(Schedule.State.valueOf(state.name())));
      query.decider().ifPresent(who -> request.setDecider(Schedule.Decider.valueOf(who.name())));
      ListSchedulesResponse answer =
          client.call(ScheduleServiceGrpc.getListSchedulesMethod(), request.build(), true);
      answer.getSchedulesList().forEach(one -> found.add(ScheduleProtos.status(one)));
      page = answer.getNextPageToken();
    } while (!page.isEmpty() && found.size() < query.limit());
    return found;
  }

  /**
   * Changes parts of a schedule.
   *
   * @param fields as the wire calls them, such as {@code time_zone} or {@code policies.overlap};
   *     one that is named and absent in the spec gets what is shipped; empty for those that the
   *     spec has
   */
  public ScheduleStatus update(ScheduleSpec spec, List<String> fields) {
    return ScheduleProtos.status(
        client.call(
            ScheduleServiceGrpc.getUpdateScheduleMethod(),
            UpdateScheduleRequest.newBuilder()
                .setSchedule(spec.wire())
                .setUpdateMask(FieldMask.newBuilder().addAllPaths(fields))
                .build(),
            spec.wire().getGeneration() == 0));
  }

  /**
   * Lets it not fire until it is resumed.
   *
   * @param note why, for people
   */
  public ScheduleStatus pause(String name, String note) {
    return ScheduleProtos.status(
        client.call(
            ScheduleServiceGrpc.getPauseScheduleMethod(),
            PauseScheduleRequest.newBuilder().setName(name).setNote(note).build(),
            true));
  }

  /** Lets it fire again, from now on. */
  public ScheduleStatus resume(String name) {
    return ScheduleProtos.status(
        client.call(
            ScheduleServiceGrpc.getResumeScheduleMethod(),
            ResumeScheduleRequest.newBuilder().setName(name).build(),
            true));
  }

  /** Fires it once, now. */
  public Triggered trigger(String name) {
    return trigger(name, requestId());
  }

  /**
   * Fires it now, unless this has been done.
   *
   * @param requestId 1 to 128 characters, chosen by the application
   */
  public Triggered trigger(String name, String requestId) {
    TriggerScheduleResponse answer =
        client.call(
            ScheduleServiceGrpc.getTriggerScheduleMethod(),
            TriggerScheduleRequest.newBuilder().setName(name).setRequestId(requestId).build(),
            true);
    return new Triggered(ScheduleProtos.fire(answer.getFire()), answer.getDuplicate());
  }

  /** Fires it for every fire time of a range in the past. */
  public Backfill.Result backfill(Backfill backfill) {
    String requestId = backfill.requestId();
    ScheduleSpec.Overlap overlap = backfill.overlap();
    BackfillScheduleRequest.Builder request =
        BackfillScheduleRequest.newBuilder()
            .setName(backfill.schedule())
            .setFrom(Protos.timestamp(backfill.from()))
            .setTo(Protos.timestamp(backfill.to()))
            .setRequestId(requestId == null ? requestId() : requestId);
    if (overlap != null) {
      request.setOverlap(Schedule.Policies.Overlap.valueOf(overlap.name()));
    }
    BackfillScheduleResponse answer =
        client.call(ScheduleServiceGrpc.getBackfillScheduleMethod(), request.build(), true);
    return new Backfill.Result(
        answer.getFired(), answer.getSkipped(), answer.getDuplicates(), answer.getRequestId());
  }

  /** So that a repeat after a lost answer is known for what it is. */
  private String requestId() {
    return new UUID(chance.nextLong(), chance.nextLong()).toString();
  }

  /** After a try whose answer was lost, not to find it may mean that it was deleted. */
  public void delete(String name) {
    client.call(
        ScheduleServiceGrpc.getDeleteScheduleMethod(),
        DeleteScheduleRequest.newBuilder().setName(name).build(),
        true);
  }

  /**
   * Shows when a schedule would fire; stores nothing.
   *
   * @param spec needs a rule, and neither name nor target
   * @param from fire times after this one; null for now
   * @param count 1 to 1,000
   */
  public Preview preview(ScheduleSpec spec, @Nullable Instant from, int count) {
    PreviewScheduleRequest.Builder request =
        PreviewScheduleRequest.newBuilder().setSchedule(spec.wire()).setCount(count);
    if (from != null) {
      request.setFrom(Protos.timestamp(from));
    }
    return ScheduleProtos.preview(
        client.call(ScheduleServiceGrpc.getPreviewScheduleMethod(), request.build(), true));
  }

  /** The decisions about a schedule, newest first. */
  public List<Fire> fires(FireQuery query) {
    List<Fire> found = new ArrayList<>();
    String page = "";
    do {
      ListFiresRequest.Builder request =
          ScheduleProtos.request(query)
              .setPageSize(Math.min(MOST_IN_A_PAGE, query.limit() - found.size()))
              .setPageToken(page);
      ListFiresResponse answer =
          client.call(ScheduleServiceGrpc.getListFiresMethod(), request.build(), true);
      answer.getFiresList().forEach(one -> found.add(ScheduleProtos.fire(one)));
      page = answer.getNextPageToken();
    } while (!page.isEmpty() && found.size() < query.limit());
    return found;
  }

  /**
   * Says why a schedule has fired at a time, or why not.
   *
   * @param at null for now
   */
  public Explanation explain(String name, @Nullable Instant at) {
    ExplainScheduleRequest.Builder request = ExplainScheduleRequest.newBuilder().setName(name);
    if (at != null) {
      request.setAt(Protos.timestamp(at));
    }
    return ScheduleProtos.explanation(
        client.call(ScheduleServiceGrpc.getExplainScheduleMethod(), request.build(), true));
  }

  /** Stores a business calendar, or changes it. */
  public BusinessCalendar putCalendar(String name, String rules) {
    return putCalendar(name, rules, false);
  }

  /** Says what {@link #putCalendar} would store, and does nothing. */
  public BusinessCalendar checkCalendar(String name, String rules) {
    return putCalendar(name, rules, true);
  }

  private BusinessCalendar putCalendar(String name, String rules, boolean dryRun) {
    return ScheduleProtos.calendar(
        client.call(
            ScheduleServiceGrpc.getPutCalendarMethod(),
            PutCalendarRequest.newBuilder()
                .setCalendar(Calendar.newBuilder().setName(name).setRules(rules))
                .setDryRun(dryRun)
                .build(),
            true));
  }

  public BusinessCalendar calendar(String name) {
    return ScheduleProtos.calendar(
        client.call(
            ScheduleServiceGrpc.getGetCalendarMethod(),
            GetCalendarRequest.newBuilder().setName(name).build(),
            true));
  }

  /** Every business calendar, by name, without rules. */
  public List<BusinessCalendar> calendars() {
    return client
        .call(
            ScheduleServiceGrpc.getListCalendarsMethod(),
            ListCalendarsRequest.getDefaultInstance(),
            true)
        .getCalendarsList()
        .stream()
        .map(ScheduleProtos::calendar)
        .toList();
  }

  /** Throws {@link TaskConflictException} while a schedule names it. */
  public void deleteCalendar(String name) {
    client.call(
        ScheduleServiceGrpc.getDeleteCalendarMethod(),
        DeleteCalendarRequest.newBuilder().setName(name).build(),
        true);
  }
}
