package io.kairos.client;

import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.ApplyScheduleRequest;
import io.kairos.api.v1.ApplyScheduleResponse;
import io.kairos.api.v1.BackfillScheduleRequest;
import io.kairos.api.v1.BackfillScheduleResponse;
import io.kairos.api.v1.Calendar;
import io.kairos.api.v1.CreateScheduleRequest;
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
import io.kairos.api.v1.TriggerScheduleRequest;
import io.kairos.api.v1.TriggerScheduleResponse;
import io.kairos.api.v1.UpdateScheduleRequest;
import io.kairos.client.PagedList.Page;
import io.kairos.client.encryption.PayloadDecryptionException;
import io.kairos.client.encryption.PayloadEnvelope;
import io.kairos.client.error.TaskConflictException;
import io.kairos.client.error.TaskNotFoundException;
import io.kairos.client.schedule.BusinessCalendar;
import io.kairos.client.schedule.Explanation;
import io.kairos.client.schedule.Fire;
import io.kairos.client.schedule.FireQuery;
import io.kairos.client.schedule.Preview;
import io.kairos.client.schedule.TriggeredFire;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Client for schedules: defines recurring work, shows its fire times, and explains why a schedule
 * fired or not. It shares connections, token and retries with its {@link KairosClient}, and is
 * closed with it. Methods that name a schedule throw {@link TaskNotFoundException}, with the
 * nearest name, when there is none of this name. A payload that cannot be decrypted makes {@link
 * #get} throw {@link PayloadDecryptionException}; answers of calls that change something keep it as
 * it is stored, where {@link PayloadEnvelope#of} finds an encrypted one. Thread-safe.
 */
public final class ScheduleClient {
  private final KairosClient client;
  private final RandomGenerator chance;

  ScheduleClient(KairosClient client, RandomGenerator chance) {
    this.client = client;
    this.chance = chance;
  }

  /**
   * Stores a new schedule. Throws {@link TaskConflictException} when a schedule of this name
   * exists. Not retried after a lost answer, unlike {@link #apply}.
   */
  public ScheduleStatus create(ScheduleSpec spec) {
    CreateScheduleRequest request =
        CreateScheduleRequest.newBuilder()
            .setSchedule(client.encryption().encrypted(spec.wire()))
            .build();
    return status(client.call(Schedule.class, request, false));
  }

  /** Creates a schedule, or replaces the definition of the schedule with its name. */
  public AppliedSchedule apply(ScheduleSpec spec) {
    return apply(spec, false, List.of());
  }

  /** Returns what {@link #apply} would do, and stores nothing. */
  public AppliedSchedule dryRun(ScheduleSpec spec) {
    return dryRun(spec, List.of());
  }

  /**
   * Returns what {@link #apply} would do if these business calendars, at most 16, were stored;
   * stores nothing.
   */
  public AppliedSchedule dryRun(ScheduleSpec spec, List<BusinessCalendar> calendars) {
    return apply(spec, true, calendars);
  }

  private AppliedSchedule apply(
      ScheduleSpec spec, boolean dryRun, List<BusinessCalendar> calendars) {
    ApplyScheduleRequest request =
        ApplyScheduleRequest.newBuilder()
            .setSchedule(encrypted(spec.wire()))
            .setDryRun(dryRun)
            .addAllCalendars(calendars.stream().map(ScheduleProtos::calendar).toList())
            .build();
    return ScheduleProtos.applied(
        client.call(ApplyScheduleResponse.class, request), client.encryption()::decryptedOrKept);
  }

  /**
   * Returns the message with an encrypted payload; that of the stored schedule if it is the same.
   */
  private Schedule encrypted(Schedule spec) {
    WireEncryption encryption = client.encryption();
    if (!encryption.fields().isOn() || !spec.hasTarget()) {
      return spec;
    }
    try {
      return encryption.encrypted(spec, fetch(spec.getName()));
    } catch (TaskNotFoundException e) {
      return encryption.encrypted(spec);
    }
  }

  private ScheduleStatus status(Schedule wire) {
    return ScheduleProtos.status(client.encryption().decryptedOrKept(wire));
  }

  /** Returns a schedule with its next fire times and latest decisions, at most ten of each. */
  public ScheduleStatus get(String name) {
    return ScheduleProtos.status(client.encryption().decrypted(fetch(name)));
  }

  private Schedule fetch(String name) {
    return client.call(Schedule.class, GetScheduleRequest.newBuilder().setName(name).build());
  }

  /** Returns schedules by name, without payloads and without fires. */
  public List<ScheduleStatus> list(ScheduleQuery query) {
    ListSchedulesRequest.Builder request =
        ListSchedulesRequest.newBuilder().setPrefix(query.prefix());
    query.states().forEach(state -> request.addStates(Schedule.State.valueOf(state.name())));
    query.decider().ifPresent(who -> request.setDecider(Schedule.Decider.valueOf(who.name())));
    return new PagedList(query.limit(), query.after())
        .fetch((size, token) -> {
          ListSchedulesResponse answer =
              client.call(
                  ListSchedulesResponse.class,
                  request.setPageSize(size).setPageToken(token).build());
          return Page.of(answer.getSchedulesList(), this::status, answer.getNextPageToken());
        });
  }

  /**
   * Changes parts of a schedule.
   *
   * @param fields fields to change, by their names in the API, such as {@code time_zone} or {@code
   *     policies.overlap}; a named field that the spec lacks is reset to its default; empty for the
   *     fields that are set in the spec
   */
  public ScheduleStatus update(ScheduleSpec spec, List<String> fields) {
    UpdateScheduleRequest request =
        UpdateScheduleRequest.newBuilder()
            .setSchedule(client.encryption().encrypted(spec.wire(), fields))
            .setUpdateMask(client.encryption().mask(fields))
            .build();
    return status(client.call(Schedule.class, request, spec.wire().getEtag().isEmpty()));
  }

  /**
   * Pauses a schedule until it is resumed.
   *
   * @param note reason, for operators
   */
  public ScheduleStatus pause(String name, String note) {
    PauseScheduleRequest request =
        PauseScheduleRequest.newBuilder().setName(name).setNote(note).build();
    return status(client.call(Schedule.class, request));
  }

  /** Resumes a schedule; it fires again from now on. */
  public ScheduleStatus resume(String name) {
    return status(
        client.call(Schedule.class, ResumeScheduleRequest.newBuilder().setName(name).build()));
  }

  /** Fires a schedule once, now. */
  public TriggeredFire trigger(String name) {
    return trigger(name, requestId());
  }

  /**
   * Fires a schedule now, unless a call with the same request id has done so.
   *
   * @param requestId 1 to 128 characters, chosen by the application
   */
  public TriggeredFire trigger(String name, String requestId) {
    TriggerScheduleResponse answer =
        client.call(
            TriggerScheduleResponse.class,
            TriggerScheduleRequest.newBuilder().setName(name).setRequestId(requestId).build());
    return new TriggeredFire(ScheduleProtos.fire(answer.getFire()), answer.getDuplicate());
  }

  /** Fires a schedule for every fire time of a range in the past. */
  public Backfill.Result backfill(Backfill backfill) {
    String requestId = backfill.requestId();
    ScheduleSpec.Overlap overlap = backfill.overlap();
    BackfillScheduleRequest.Builder request =
        BackfillScheduleRequest.newBuilder()
            .setName(backfill.schedule())
            .setFirstTime(ProtoTime.of(backfill.from()))
            .setLastTime(ProtoTime.of(backfill.to()))
            .setRequestId(requestId == null ? requestId() : requestId);
    if (overlap != null) {
      request.setOverlap(Schedule.Policies.Overlap.valueOf(overlap.name()));
    }
    BackfillScheduleResponse answer = client.call(BackfillScheduleResponse.class, request.build());
    return new Backfill.Result(
        answer.getFired(), answer.getSkipped(), answer.getDuplicates(), answer.getRequestId());
  }

  /** Makes calls idempotent, so that they can be retried after a lost answer. */
  private String requestId() {
    return new UUID(chance.nextLong(), chance.nextLong()).toString();
  }

  /**
   * Deletes a schedule. When the answer to the first attempt of this call was lost, {@link
   * TaskNotFoundException} can also mean that the schedule was deleted.
   */
  public void delete(String name) {
    client.call(
        DeleteScheduleResponse.class, DeleteScheduleRequest.newBuilder().setName(name).build());
  }

  /**
   * Shows when a schedule would fire from now on; stores nothing.
   *
   * @param spec needs a rule, and neither name nor target
   * @param count number of fire times, 1 to 1,000
   */
  public Preview preview(ScheduleSpec spec, int count) {
    return preview(previewing(spec, count));
  }

  /**
   * Shows when a schedule would fire, like {@link #preview(ScheduleSpec, int)}.
   *
   * @param from only fire times after this time
   */
  public Preview preview(ScheduleSpec spec, Instant from, int count) {
    return preview(previewing(spec, count).setAfter(ProtoTime.of(from)));
  }

  private PreviewScheduleRequest.Builder previewing(ScheduleSpec spec, int count) {
    return PreviewScheduleRequest.newBuilder()
        .setSchedule(client.encryption().encrypted(spec.wire()))
        .setCount(count);
  }

  private Preview preview(PreviewScheduleRequest.Builder request) {
    return ScheduleProtos.preview(client.call(PreviewScheduleResponse.class, request.build()));
  }

  /** Returns decisions about a schedule, newest first. */
  public List<Fire> fires(FireQuery query) {
    ListFiresRequest.Builder request = ScheduleProtos.request(query);
    return new PagedList(query.limit(), "")
        .fetch((size, token) -> {
          ListFiresResponse answer =
              client.call(
                  ListFiresResponse.class, request.setPageSize(size).setPageToken(token).build());
          return Page.of(answer.getFiresList(), ScheduleProtos::fire, answer.getNextPageToken());
        });
  }

  /** Explains why a schedule does not fire now, or does. */
  public Explanation explain(String name) {
    return explain(ExplainScheduleRequest.newBuilder().setName(name));
  }

  /** Explains why a schedule fired at a time, or why not. */
  public Explanation explain(String name, Instant at) {
    return explain(ExplainScheduleRequest.newBuilder().setName(name).setAt(ProtoTime.of(at)));
  }

  private Explanation explain(ExplainScheduleRequest.Builder request) {
    return ScheduleProtos.explanation(client.call(ExplainScheduleResponse.class, request.build()));
  }

  /** Creates or replaces a business calendar. */
  public BusinessCalendar putCalendar(String name, String rules) {
    return putCalendar(name, rules, false);
  }

  /** Returns what {@link #putCalendar} would store, and stores nothing. */
  public BusinessCalendar checkCalendar(String name, String rules) {
    return putCalendar(name, rules, true);
  }

  private BusinessCalendar putCalendar(String name, String rules, boolean dryRun) {
    PutCalendarRequest request =
        PutCalendarRequest.newBuilder()
            .setCalendar(Calendar.newBuilder().setName(name).setRules(rules))
            .setDryRun(dryRun)
            .build();
    return ScheduleProtos.calendar(client.call(Calendar.class, request));
  }

  /** Returns a business calendar with its rules. */
  public BusinessCalendar calendar(String name) {
    return ScheduleProtos.calendar(
        client.call(Calendar.class, GetCalendarRequest.newBuilder().setName(name).build()));
  }

  /** Returns all business calendars by name, without rules. */
  public List<BusinessCalendar> calendars() {
    ListCalendarsRequest.Builder request = ListCalendarsRequest.newBuilder();
    return PagedList.whole()
        .fetch((size, token) -> {
          ListCalendarsResponse answer =
              client.call(
                  ListCalendarsResponse.class,
                  request.setPageSize(size).setPageToken(token).build());
          return PagedList.Page.of(
              answer.getCalendarsList(), ScheduleProtos::calendar, answer.getNextPageToken());
        });
  }

  /** Deletes a business calendar. Throws {@link TaskConflictException} while a schedule uses it. */
  public void deleteCalendar(String name) {
    client.call(
        DeleteCalendarResponse.class, DeleteCalendarRequest.newBuilder().setName(name).build());
  }
}
