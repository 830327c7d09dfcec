package io.kairos.edge.schedule;

import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.ExplainScheduleResponse;
import io.kairos.domain.schedule.TimeRule;
import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.WorkingCalendar;
import io.kairos.domain.schedule.definition.Schedule;
import io.kairos.domain.schedule.definition.ScheduleDecider;
import io.kairos.domain.schedule.definition.ScheduleProgress;
import io.kairos.domain.schedule.fire.FireCause;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.schedule.fire.RuleTimetable;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Explains why a schedule has fired at a time, or why not. A pure function of its components. */
record FireExplainer(
    Schedule schedule, TimeRule rule, Map<CalendarName, WorkingCalendar> calendars, Instant now) {
  static final String UNREADABLE =
      "Its rule cannot be read any more, and it does not fire; the nodes' logs say why.";

  private static final Duration LONG_AGO = Duration.ofDays(36_525);

  /** Explains the schedule's present state. */
  ExplainScheduleResponse atPresent() {
    ScheduleProgress progress = schedule.progress();
    String text =
        switch (progress.status()) {
          case ACTIVE -> "It is active" + next() + "." + (isReplicated() ? " " + decider() : "");
          case PAUSED -> paused() + ".";
          case ENDED ->
              "It has ended at "
                  + progress.since()
                  + ": no fire time is left, or it has fired as often as it may.";
        };
    return around(now).setExplanation(text).build();
  }

  private boolean isReplicated() {
    return schedule.definition().policies().decider() == ScheduleDecider.REPLICATED;
  }

  private String decider() {
    return "A replicated cron decides it, and all is decided up to "
        + schedule.progress().decidedTo()
        + "; while no replica runs, it does not fire.";
  }

  /**
   * The next fire time in words. The stored time of the next decision may differ from it, after a
   * delay or a change of a calendar.
   */
  private String next() {
    ScheduleProgress progress = schedule.progress();
    if (!rule.isPlanned()) {
      return " and fires not before " + progress.nextAt() + ", nor while a run goes on";
    }
    Optional<Instant> next = rule.fireTimes(calendars).next(progress.decidedTo());
    return next.map(time -> " and fires next at " + time).orElse("");
  }

  private String paused() {
    String note = schedule.progress().note();
    return "It is paused since "
        + schedule.progress().since()
        + (note.isEmpty() ? "" : " (" + note + ")");
  }

  /**
   * Explains why the schedule has fired at a time, or why not.
   *
   * @param before the latest decisions about fire times up to {@code at}
   */
  ExplainScheduleResponse at(Instant at, List<LedgerEntry> before) {
    // The rule's own decision comes before one by a trigger or a backfill for the same time.
    Optional<LedgerEntry> entry =
        before.stream()
            .filter(one -> isOf(one, at))
            .min(Comparator.comparing(one -> one.cause() != FireCause.SCHEDULE));
    ExplainScheduleResponse.Builder answer = around(at);
    if (entry.isPresent()) {
      String words = FireAnswers.words(entry.get());
      return answer
          .setFire(FireAnswers.fire(entry.get()))
          .setExplanation((entry.get().isFired() ? "It " : "It was ") + words + ".")
          .build();
    }
    return answer.setExplanation(undecided(at)).build();
  }

  private static boolean isOf(LedgerEntry entry, Instant at) {
    Instant second = at.truncatedTo(ChronoUnit.SECONDS);
    return entry.fireAt().truncatedTo(ChronoUnit.SECONDS).equals(second)
        || (!entry.fireAt().isAfter(at) && !entry.until().isBefore(at));
  }

  private String undecided(Instant at) {
    ScheduleProgress progress = schedule.progress();
    if (at.isBefore(schedule.createdAt())) {
      return "It was created at " + schedule.createdAt() + " and did not exist then.";
    }
    boolean isOld = schedule.updatedAt().isAfter(at);
    String changed =
        "The definition was changed at "
            + schedule.updatedAt()
            + "; what held before is not known any more.";
    if (!rule.isPlanned() && !at.isAfter(now)) {
      return "It has not fired then: its rule counts from the end of the former run."
          + (isOld ? " " + changed : "");
    }
    if (rule.isPlanned()
        && !rule.fireTimes(calendars).matches(at.truncatedTo(ChronoUnit.SECONDS))) {
      return "The rule names no fire time then." + (isOld ? " " + changed : "");
    }
    return switch (progress.status()) {
      case PAUSED -> paused() + "; fire times of a pause are skipped when it is resumed.";
      case ENDED -> "It ended at " + progress.since() + ".";
      case ACTIVE -> {
        if (at.isAfter(now)) {
          yield "It is still to come.";
        }
        if (at.isAfter(progress.decidedTo())) {
          yield "It has come and is not decided yet"
              + (isReplicated() ? ". " + decider() : ": a node will do so as soon as it can.");
        }
        yield isOld ? changed : forgotten();
      }
    };
  }

  /**
   * Explains a missing ledger entry: it was pruned, or none was written, because a calendar
   * excluded the time and changed before the next decision.
   */
  private String forgotten() {
    String pruned = "It was decided, and the decision has been pruned from the ledger";
    return rule.isPlanned() && !rule.terms().calendars().isEmpty()
        ? pruned + "; or a calendar left it out then that has changed since."
        : pruned + ".";
  }

  private ExplainScheduleResponse.Builder around(Instant at) {
    ExplainScheduleResponse.Builder answer = ExplainScheduleResponse.newBuilder();
    if (rule.isPlanned()) {
      RuleTimetable times = new RuleTimetable(rule, calendars);
      times
          .last(at.minus(LONG_AGO), at)
          .ifPresent(time -> answer.setFireTimeBefore(ProtoTime.of(time)));
      times.next(at).ifPresent(time -> answer.setFireTimeAfter(ProtoTime.of(time)));
    }
    return answer;
  }
}
