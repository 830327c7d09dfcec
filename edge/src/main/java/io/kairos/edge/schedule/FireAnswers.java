package io.kairos.edge.schedule;

import static io.kairos.api.text.GivenValue.ifGiven;

import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.Fire;
import io.kairos.api.v1.PlannedFire;
import io.kairos.domain.schedule.FireTimes;
import io.kairos.domain.schedule.Occurrence;
import io.kairos.domain.schedule.SkipReason;
import io.kairos.domain.schedule.TimeRule;
import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.WorkingCalendar;
import io.kairos.domain.schedule.fire.FireCause;
import io.kairos.domain.schedule.fire.FireDecision;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.schedule.fire.SkipCause;
import io.kairos.edge.refusal.WireEnum;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes future fire times, and decisions about past ones, as API messages. */
final class FireAnswers {
  static final WireEnum<SkipCause, Fire.Reason> REASONS =
      new WireEnum<>(SkipCause.class, Fire.Reason.class);
  static final WireEnum<FireDecision, Fire.Decision> DECISIONS =
      new WireEnum<>(FireDecision.class, Fire.Decision.class);
  private static final WireEnum<FireCause, Fire.Cause> CAUSES =
      new WireEnum<>(FireCause.class, Fire.Cause.class);

  private FireAnswers() {}

  /**
   * The first occurrences of a rule after an instant, including skipped ones. If all of these are
   * skipped, the first real fire time follows them.
   *
   * @param uid id of the schedule, which determines the spread of its runs; null if it has none yet
   * @param count how many occurrences at most
   */
  static List<PlannedFire> planned(
      TimeRule rule,
      Map<CalendarName, WorkingCalendar> calendars,
      @Nullable String uid,
      Instant after,
      int count) {
    List<PlannedFire> fires = new ArrayList<>();
    FireTimes fireTimes = rule.fireTimes(calendars);
    boolean fired = false;
    Iterator<Occurrence> times = fireTimes.occurrences(after);
    while (rule.isPlanned() && fires.size() < count && times.hasNext()) {
      switch (times.next()) {
        case Occurrence.Fire fire -> {
          fires.add(fire(rule, uid, fire));
          fired = true;
        }
        case Occurrence.Skipped skipped -> fires.add(skipped(rule, skipped));
      }
    }
    if (!fired) {
      fireTimes.next(after).ifPresent(time -> fires.add(fire(rule, uid, fireAt(fireTimes, time))));
    }
    return fires;
  }

  private static Occurrence.Fire fireAt(FireTimes fireTimes, Instant time) {
    Iterator<Occurrence> times = fireTimes.occurrences(time.minusSeconds(1));
    Occurrence first = times.next();
    return first instanceof Occurrence.Fire fire ? fire : (Occurrence.Fire) times.next();
  }

  private static PlannedFire fire(TimeRule rule, @Nullable String uid, Occurrence.Fire fire) {
    Instant time = fire.at();
    Instant due = uid == null ? time : rule.terms().spread().dueAt(uid, time);
    LocalDateTime clock = LocalDateTime.ofInstant(time, rule.terms().clock().zone());
    return PlannedFire.newBuilder()
        .setFireTime(ProtoTime.of(time))
        .setLocalTime(local(rule, time))
        .setRunAt(ProtoTime.of(due))
        .setMovedFrom(fire.local().equals(clock) ? "" : fire.local().toString())
        .build();
  }

  private static PlannedFire skipped(TimeRule rule, Occurrence.Skipped skipped) {
    SkipReason why = skipped.reason();
    String local =
        why instanceof SkipReason.ClockPutForward
            ? skipped.local() + ", which the clocks leave out"
            : local(rule, skipped.at());
    return PlannedFire.newBuilder()
        .setFireTime(ProtoTime.of(skipped.at()))
        .setLocalTime(local)
        .setRunAt(ProtoTime.of(skipped.at()))
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
            .setFireTime(ProtoTime.of(entry.fireAt()))
            .setDecision(entry.isFired() ? Fire.Decision.FIRED : Fire.Decision.SKIPPED)
            .setCause(CAUSES.write(entry.cause()))
            .setRequestId(entry.request())
            .setDecidedAt(ProtoTime.of(entry.decidedAt()))
            .setLate(ProtoTime.of(entry.late()))
            .setRunAt(ProtoTime.of(entry.runAt() == null ? entry.fireAt() : entry.runAt()))
            .setExplanation(words(entry));
    ifGiven(entry.reason(), reason -> fire.setReason(REASONS.write(reason)));
    if (!entry.until().equals(entry.fireAt())) {
      fire.setUntil(ProtoTime.of(entry.until()));
      ifGiven(entry.count(), fire::setCount);
    }
    ifGiven(entry.run(), run -> fire.setExecutionId(run.toString()));
    return fire.build();
  }

  /** The decision in words, without a subject and a full stop. */
  static String words(LedgerEntry entry) {
    SkipCause reason = entry.reason();
    if (reason == null) {
      if (entry.cause() != FireCause.SCHEDULE) {
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
          case BUFFER_FULL -> "no more runs may wait for those that go on";
        };
  }
}
