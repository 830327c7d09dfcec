package io.kairos.edge.schedule;

import static io.kairos.edge.refusal.InvalidField.reading;
import static io.kairos.edge.refusal.InvalidField.require;
import static io.kairos.edge.task.RequestFields.pageSize;

import io.kairos.api.v1.ApplyScheduleRequest;
import io.kairos.api.v1.Calendar;
import io.kairos.api.v1.DeleteCalendarRequest;
import io.kairos.api.v1.DeleteCalendarResponse;
import io.kairos.api.v1.GetCalendarRequest;
import io.kairos.api.v1.ListCalendarsRequest;
import io.kairos.api.v1.ListCalendarsResponse;
import io.kairos.api.v1.PutCalendarRequest;
import io.kairos.domain.schedule.RuleTerms;
import io.kairos.domain.schedule.calendar.CalendarLines;
import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.CalendarText;
import io.kairos.domain.schedule.calendar.WorkingCalendar;
import io.kairos.domain.text.SpellingSuggestion;
import io.kairos.edge.call.EntityTag;
import io.kairos.edge.refusal.InvalidField;
import io.kairos.edge.refusal.Refusals;
import io.kairos.engine.schedule.ScheduleEdge;
import io.kairos.engine.schedule.port.StoredCalendar;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Executes calls about business calendars. Blocks on the store. */
record CalendarDesk(ScheduleEdge edge) {
  private static final int LONGEST_RULES = 200_000;

  /** Calendars per read of the store; each comes with its rules. */
  private static final int READ_AT_ONCE = 50;

  Calendar put(PutCalendarRequest request) {
    CalendarName name = RuleRequests.calendarName("calendar.name", request.getCalendar().getName());
    WorkingCalendar wanted = rules("calendar.rules", request.getCalendar().getRules());
    if (request.getDryRun()) {
      return Calendar.newBuilder()
          .setName(name.value())
          .setRules(CalendarText.of(wanted).value())
          .build();
    }
    String etag = request.getCalendar().getEtag();
    return ScheduleAnswers.calendar(
        edge.putCalendar(name, wanted, expected(name, etag))
            .orElseThrow(() -> changed(name, etag)));
  }

  private RuntimeException changed(CalendarName name, String etag) {
    return etag.isEmpty()
        ? Refusals.aborted(
            "calendar: it is being changed by another call, and nothing was done: read it again,"
                + " and repeat the change")
        : Refusals.stale(what(name), tag(edge.findCalendar(name)));
  }

  private static String what(CalendarName name) {
    return "the calendar " + name.value();
  }

  private static String tag(Optional<StoredCalendar> stored) {
    return stored.map(ScheduleAnswers::tag).orElse("");
  }

  /** The generation that the stored calendar must have; null for any. */
  private @Nullable Long expected(CalendarName name, String etag) {
    if (etag.isEmpty()) {
      return null;
    }
    Optional<StoredCalendar> stored = edge.findCalendar(name);
    EntityTag.require(etag, tag(stored), what(name));
    return stored.orElseThrow().generation();
  }

  private static WorkingCalendar rules(String field, String text) {
    require(text.length() <= LONGEST_RULES, field, "must be at most 200,000 characters");
    return reading(field, () -> CalendarLines.read(text, line -> refused(field, line)));
  }

  private static InvalidField refused(String field, CalendarLines.Refused refused) {
    String number = Integer.toString(refused.number());
    return new InvalidField(
        field,
        "line %s: \"%s\": %s".formatted(number, refused.line(), refused.why()),
        Map.of("line", number, "value", refused.line(), "allowed", refused.why()));
  }

  /** The calendars that a dry run assumes to be stored. */
  static Map<CalendarName, WorkingCalendar> assumed(ApplyScheduleRequest request) {
    int count = request.getCalendarsCount();
    require(count == 0 || request.getDryRun(), "calendars", "must be given for a dry run alone");
    require(
        count <= RuleTerms.MOST_CALENDARS,
        "calendars",
        "must be at most " + RuleTerms.MOST_CALENDARS);
    Map<CalendarName, WorkingCalendar> assumed = new HashMap<>();
    for (int i = 0; i < count; i++) {
      Calendar given = request.getCalendars(i);
      String field = "calendars[" + i + "]";
      assumed.put(
          RuleRequests.calendarName(field + ".name", given.getName()),
          rules(field + ".rules", given.getRules()));
    }
    return assumed;
  }

  Calendar get(GetCalendarRequest request) {
    CalendarName name = RuleRequests.calendarName("name", request.getName());
    return ScheduleAnswers.calendar(
        edge.findCalendar(name).orElseThrow(() -> notFound(edge, "name", name)));
  }

  /** The refusal of a schedule's field with an unknown calendar; suggests a similar name. */
  static InvalidField unknown(ScheduleEdge edge, String field, CalendarName name) {
    return new InvalidField(field, missing(edge, name));
  }

  private static RuntimeException notFound(ScheduleEdge edge, String field, CalendarName name) {
    return Refusals.notFound(field + ": " + missing(edge, name));
  }

  private static String missing(ScheduleEdge edge, CalendarName name) {
    List<String> names =
        after(edge, null, Integer.MAX_VALUE).stream().map(Calendar::getName).toList();
    return "there is no calendar " + name + SpellingSuggestion.question(name.value(), names);
  }

  ListCalendarsResponse list(ListCalendarsRequest request) {
    int size = pageSize(request.getPageSize());
    CalendarName after =
        request.getPageToken().isEmpty()
            ? null
            : RuleRequests.calendarName("page_token", request.getPageToken());
    List<Calendar> found = after(edge, after, size + 1);
    List<Calendar> shown = found.subList(0, Math.min(size, found.size()));
    ListCalendarsResponse.Builder answer =
        ListCalendarsResponse.newBuilder().addAllCalendars(shown);
    if (found.size() > shown.size()) {
      answer.setNextPageToken(shown.getLast().getName());
    }
    return answer.build();
  }

  /** Calendars by name, without their rules; at least so many, if there are. */
  private static List<Calendar> after(ScheduleEdge edge, @Nullable CalendarName last, int least) {
    List<Calendar> all = new ArrayList<>();
    @Nullable CalendarName after = last;
    List<StoredCalendar> found;
    do {
      found = edge.listCalendars(after, READ_AT_ONCE);
      for (StoredCalendar one : found) {
        all.add(
            Calendar.newBuilder()
                .setName(one.name().value())
                .setGeneration(one.generation())
                .build());
        after = one.name();
      }
    } while (found.size() == READ_AT_ONCE && all.size() < least);
    return all;
  }

  DeleteCalendarResponse delete(DeleteCalendarRequest request) {
    CalendarName name = RuleRequests.calendarName("name", request.getName());
    switch (edge.deleteCalendar(name)) {
      case DELETED -> {}
      case UNKNOWN -> throw notFound(edge, "name", name);
      case IN_USE ->
          throw Refusals.notInState(
              "name: schedules name the calendar " + name + "; change them first");
    }
    return DeleteCalendarResponse.getDefaultInstance();
  }
}
