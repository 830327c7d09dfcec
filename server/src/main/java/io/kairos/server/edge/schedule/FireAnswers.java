package io.kairos.server.edge.schedule;

import io.kairos.api.v1.Fire;
import io.kairos.api.v1.PlannedFire;
import io.kairos.domain.schedule.Occurrence;
import io.kairos.domain.schedule.SkipReason;
import io.kairos.domain.schedule.TimeRule;
import io.kairos.domain.schedule.calendar.BusinessCalendar;
import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.fire.Cause;
import io.kairos.domain.schedule.fire.Decision;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.schedule.fire.Reason;
import io.kairos.domain.task.TaskId;
import io.kairos.server.edge.refusal.InvalidField;
import io.kairos.server.edge.task.TaskAnswers;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Fire times that come and decisions about those that came, in the words of the wire. */
final class FireAnswers {
  private FireAnswers() {}

  /**
   * What a rule names after an instant, also what is left out; when all of it is left out, the
   * first fire time as well.
   *
   * @param uid of the schedule, by which its tasks are spread; null when it has none yet
   */
  static List<PlannedFire> planned(
      TimeRule rule,
      Map<CalendarName, BusinessCalendar> calendars,
      @Nullable String uid,
      Instant after,
      int count) {
    return switch (rule) {
      case TimeRule.FixedDelay delay ->
          delay.first(after.plusNanos(1), calendars).stream()
              .map(first -> fire(rule, uid, first))
              .toList();
      case TimeRule.Planned planned -> planned(planned, calendars, uid, after, count);
    };
  }

  private static List<PlannedFire> planned(
      TimeRule.Planned rule,
      Map<CalendarName, BusinessCalendar> calendars,
      @Nullable String uid,
      Instant after,
      int count) {
    List<PlannedFire> fires = new ArrayList<>();
    boolean fired = false;
    Iterator<Occurrence> times = rule.fireTimes(calendars).occurrences(after);
    while (fires.size() < count && times.hasNext()) {
      switch (times.next()) {
        case Occurrence.Fire fire -> {
          fires.add(fire(rule, uid, fire.at()));
          fired = true;
        }
        case Occurrence.Skipped skipped -> fires.add(skipped(rule, skipped));
      }
    }
    if (!fired) {
      Optional<Instant> first = rule.fireTimes(calendars).next(after);
      first.ifPresent(time -> fires.add(fire(rule, uid, time)));
    }
    return fires;
  }

  private static PlannedFire fire(TimeRule rule, @Nullable String uid, Instant time) {
    Instant due = uid == null ? time : rule.terms().spread().dueAt(uid, time);
    return PlannedFire.newBuilder()
        .setFireTime(TaskAnswers.timestamp(time))
        .setLocalTime(local(rule, time))
        .setRunAt(TaskAnswers.timestamp(due))
        .build();
  }

  private static PlannedFire skipped(TimeRule rule, Occurrence.Skipped skipped) {
    SkipReason why = skipped.reason();
    String local =
        why instanceof SkipReason.ClockPutForward
            ? skipped.local() + ", which the clocks leave out"
            : local(rule, skipped.at());
    return PlannedFire.newBuilder()
        .setFireTime(TaskAnswers.timestamp(skipped.at()))
        .setLocalTime(local)
        .setRunAt(TaskAnswers.timestamp(skipped.at()))
        .setSkipped(
            switch (why) {
              case SkipReason.ClockPutForward _ -> Fire.Reason.DST_GAP;
              case SkipReason.ClockPutBack _ -> Fire.Reason.DST_OVERLAP;
              case SkipReason.Excluded _ -> Fire.Reason.CALENDAR;
            })
        .build();
  }

  static String local(TimeRule rule, Instant time) {
    ZoneId zone = rule.terms().clock().zone();
    return ZonedDateTime.ofInstant(time, zone).toString();
  }

  static Fire fire(LedgerEntry entry) {
    Fire.Builder fire =
        Fire.newBuilder()
            .setFireTime(TaskAnswers.timestamp(entry.fireAt()))
            .setDecision(entry.isFired() ? Fire.Decision.FIRED : Fire.Decision.SKIPPED)
            .setCause(
                switch (entry.cause()) {
                  case SCHEDULE -> Fire.Cause.SCHEDULE;
                  case TRIGGER -> Fire.Cause.TRIGGER;
                  case BACKFILL -> Fire.Cause.BACKFILL;
                })
            .setRequestId(entry.request())
            .setDecidedAt(TaskAnswers.timestamp(entry.decidedAt()))
            .setLate(TaskAnswers.duration(entry.late()))
            .setRunAt(TaskAnswers.timestamp(entry.runAt() == null ? entry.fireAt() : entry.runAt()))
            .setExplanation(words(entry));
    Reason reason = entry.reason();
    if (reason != null) {
      fire.setReason(Fire.Reason.valueOf(reason.name()));
    }
    if (!entry.until().equals(entry.fireAt())) {
      fire.setUntil(TaskAnswers.timestamp(entry.until()));
      Long count = entry.count();
      if (count != null) {
        fire.setCount(count);
      }
    }
    TaskId run = entry.run();
    if (run != null) {
      fire.setExecutionId(run.toString());
    }
    return fire.build();
  }

  /** Null for what is no reason. */
  static @Nullable Reason reason(Fire.Reason given) {
    return switch (given) {
      case REASON_UNSPECIFIED, UNRECOGNIZED -> null;
      case OVERLAP,
          PAUSED,
          CATCH_UP_NONE,
          SUPERSEDED,
          OUTSIDE_WINDOW,
          CAP,
          CALENDAR,
          DST_GAP,
          DST_OVERLAP,
          BUFFER_FULL ->
          Reason.valueOf(given.name());
    };
  }

  /** Null for what is no decision. */
  static @Nullable Decision decision(Fire.Decision given) {
    return switch (given) {
      case FIRED -> Decision.FIRED;
      case SKIPPED -> Decision.SKIPPED;
      case DECISION_UNSPECIFIED, UNRECOGNIZED -> null;
    };
  }

  /** The decision in a sentence. */
  static String words(LedgerEntry entry) {
    Reason reason = entry.reason();
    if (reason == null) {
      if (entry.cause() != Cause.SCHEDULE) {
        return "fired by a " + entry.cause().name().toLowerCase(Locale.ROOT);
      }
      return entry.late().compareTo(Duration.ofSeconds(1)) > 0
          ? "fired, " + entry.late().toSeconds() + " s late"
          : "fired";
    }
    String many = entry.until().equals(entry.fireAt()) ? "" : " until " + entry.until();
    return "skipped"
        + many
        + ": "
        + switch (reason) {
          case OVERLAP -> "a former run had not ended";
          case PAUSED -> "the schedule was paused";
          case CATCH_UP_NONE -> "it was missed, and catch-up is NONE";
          case SUPERSEDED -> "it was missed, and a later one fired in its place";
          case OUTSIDE_WINDOW -> "it was missed by more than the catch-up window";
          case CAP -> "more was missed than catch-up makes up for";
          case CALENDAR -> "a business calendar leaves it out";
          case DST_GAP -> "its local time did not exist, the clocks went forward";
          case DST_OVERLAP -> "its local time came twice, the clocks went back";
          case BUFFER_FULL -> "one run went on and another waited";
        };
  }

  static Set<Reason> reasons(List<Fire.Reason> given) {
    Set<Reason> reasons = EnumSet.noneOf(Reason.class);
    for (int i = 0; i < given.size(); i++) {
      Reason reason = reason(given.get(i));
      if (reason == null) {
        throw new InvalidField("reasons[" + i + "]", "must be a reason");
      }
      reasons.add(reason);
    }
    return reasons;
  }

  static Set<Decision> decisions(List<Fire.Decision> given) {
    Set<Decision> decisions = EnumSet.noneOf(Decision.class);
    for (int i = 0; i < given.size(); i++) {
      Decision decision = decision(given.get(i));
      if (decision == null) {
        throw new InvalidField("decisions[" + i + "]", "must be FIRED or SKIPPED");
      }
      decisions.add(decision);
    }
    return decisions;
  }
}
