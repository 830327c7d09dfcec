package io.kairos.cli;

import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import io.kairos.api.text.DurationText;
import io.kairos.api.v1.CronEntry;
import io.kairos.api.v1.CronFire;
import io.kairos.api.v1.CronTable;
import io.kairos.cli.text.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Cron tables as people read them. */
final class CronText {
  private CronText() {}

  static Duration wire(java.time.Duration length) {
    return Duration.newBuilder().setSeconds(length.getSeconds()).setNanos(length.getNano()).build();
  }

  static Table tables(List<CronTable> tables) {
    Table text = new Table("COMPONENT", "TICK", "ENTRIES", "FAILURES", "ROUND");
    for (CronTable table : tables) {
      text.row(
          table.getComponent(),
          words(table.getTick()),
          table.getEntries(),
          table.getFailures(),
          table.getRound());
    }
    return text;
  }

  static Table entries(List<CronEntry> entries) {
    Table text =
        new Table("COMPONENT", "POSITION", "WHEN", "WORK", "NEXT", "FIRES", "LAST", "TITLE");
    for (CronEntry entry : entries) {
      text.row(
          entry.getComponent(),
          entry.getPosition(),
          when(entry),
          work(entry),
          next(entry),
          entry.getFires(),
          entry.hasLastFire() ? words(entry.getLastFire()) : null,
          entry.getTitle());
    }
    return text;
  }

  static String describe(CronEntry entry) {
    List<String> lines = new ArrayList<>();
    lines.add("component  " + entry.getComponent());
    lines.add("position   " + entry.getPosition());
    if (!entry.getTitle().isEmpty()) {
      lines.add("title      " + entry.getTitle());
    }
    lines.add("when       " + when(entry));
    lines.add("work       " + work(entry));
    String next = next(entry);
    lines.add("next       " + (next == null ? "the next tick tells" : next));
    lines.add(
        "fires      "
            + entry.getFires()
            + (entry.hasLastFire()
                ? ", last %s at sequence %d"
                    .formatted(words(entry.getLastFire()), entry.getLastFire().getSequence())
                : ""));
    if (entry.hasLastFailure()) {
      CronEntry.Failure failure = entry.getLastFailure();
      lines.add(
          "failures   %d, last at sequence %d: %s in its %s"
              .formatted(
                  failure.getCount(),
                  failure.getSequence(),
                  failure.getKind(),
                  Words.of(failure.getCallback())));
    }
    return String.join(System.lineSeparator(), lines);
  }

  static Table fires(List<CronFire> fires) {
    Table text = new Table("SEQUENCE", "POSITION", "FIRE TIME");
    for (CronFire fire : fires) {
      text.row(fire.getSequence(), fire.getPosition(), time(fire));
    }
    return text;
  }

  /** A replica may be newer than this, and say what this does not know. */
  private static String when(CronEntry entry) {
    return switch (entry.getWhenCase()) {
      case EVERY_TICK -> "each tick";
      case EVERY_SEQUENCES -> "every " + entry.getEverySequences() + " sequences";
      case EVERY -> "every " + words(entry.getEvery());
      case FIXED_RATE ->
          "rate %s from %s"
              .formatted(
                  words(entry.getFixedRate().getPeriod()), time(entry.getFixedRate().getAnchor()));
      case CRON -> "cron " + entry.getCron();
      case TOLD -> "as told";
      case WHEN_NOT_SET -> "?";
    };
  }

  private static String work(CronEntry entry) {
    return switch (entry.getWorkCase()) {
      case ENQUEUE_TASK -> "task " + entry.getEnqueueTask().getHandler();
      case POST_MESSAGE ->
          "message %s after %s"
              .formatted(
                  entry.getPostMessage().getTopic(), words(entry.getPostMessage().getDelay()));
      case PUSH -> "push " + entry.getPush().getUrl();
      case PRUNE -> "prune " + words(entry.getPrune());
      case RUN -> "run " + entry.getRun().getModule();
      case DECIDE_SCHEDULE -> "decide schedule " + entry.getDecideSchedule().getSchedule();
      case WORK_NOT_SET -> "?";
    };
  }

  private static @Nullable String next(CronEntry entry) {
    CronEntry.NextFire next = entry.getNextFire();
    return switch (next.getAtCase()) {
      case SEQUENCE -> "sequence " + next.getSequence();
      case TIME -> time(next.getTime()).toString();
      case NEXT_TICK -> "next tick";
      case AT_NOT_SET -> null;
    };
  }

  private static String words(CronFire fire) {
    Instant time = time(fire);
    return time == null ? "sequence " + fire.getSequence() : time.toString();
  }

  private static @Nullable Instant time(CronFire fire) {
    return fire.hasFireTime() ? time(fire.getFireTime()) : null;
  }

  static Instant time(Timestamp time) {
    return Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
  }

  private static String words(Duration length) {
    return DurationText.of(java.time.Duration.ofSeconds(length.getSeconds(), length.getNanos()));
  }
}
