package io.kairos.cli.cron;

import com.google.protobuf.Duration;
import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.CronEntry;
import io.kairos.api.v1.CronFire;
import io.kairos.api.v1.CronTable;
import io.kairos.cli.text.AnswerText;
import io.kairos.cli.text.TextLines;
import io.kairos.cli.text.TextTable;
import io.kairos.domain.time.DurationText;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Formats cron tables as text. */
final class CronText {
  private CronText() {}

  static TextTable<CronTable> tables(List<CronTable> tables) {
    return TextTable.of(tables)
        .column("COMPONENT", CronTable::getComponent)
        .column("TICK", table -> words(table.getTick()))
        .column("ENTRIES", CronTable::getEntries)
        .column("FAILURES", CronTable::getFailures)
        .column("ROUND", CronTable::getRound);
  }

  static TextTable<CronEntry> entries(List<CronEntry> entries) {
    return TextTable.of(entries)
        .column("COMPONENT", CronEntry::getComponent)
        .column("POSITION", CronEntry::getPosition)
        .column("WHEN", CronText::when)
        .column("WORK", CronText::work)
        .column("NEXT", CronText::next)
        .column("FIRES", CronEntry::getFires)
        .column("LAST", entry -> entry.hasLastFire() ? words(entry.getLastFire()) : null)
        .column("TITLE", CronEntry::getTitle);
  }

  static String describe(CronEntry entry) {
    String last =
        entry.hasLastFire()
            ? ", last %s at sequence %d"
                .formatted(words(entry.getLastFire()), entry.getLastFire().getSequence())
            : "";
    String next = next(entry);
    TextLines lines =
        new TextLines()
            .add("component  ", entry.getComponent())
            .add("position   ", entry.getPosition())
            .add("title      ", entry.getTitle())
            .add("when       ", when(entry))
            .add("work       ", work(entry))
            .add("next       ", next == null ? "the next tick tells" : next)
            .add("fires      ", entry.getFires() + last);
    if (entry.hasLastFailure()) {
      CronEntry.Failure failure = entry.getLastFailure();
      lines.add(
          "failures   ",
          "%d, last at sequence %d: %s in its %s"
              .formatted(
                  failure.getCount(),
                  failure.getSequence(),
                  failure.getKind(),
                  AnswerText.of(failure.getCallback())));
    }
    return lines.toString();
  }

  static TextTable<io.kairos.client.CronFire> fires(List<io.kairos.client.CronFire> fires) {
    return TextTable.of(fires)
        .column("SEQUENCE", io.kairos.client.CronFire::sequence)
        .column("POSITION", io.kairos.client.CronFire::position)
        .column("FIRE TIME", io.kairos.client.CronFire::fireTime);
  }

  /** A replica may be newer than this client, and have values that it does not know. */
  private static String when(CronEntry entry) {
    return switch (entry.getWhenCase()) {
      case EVERY_TICK -> "each tick";
      case EVERY_SEQUENCES -> "every " + entry.getEverySequences() + " sequences";
      case EVERY -> "every " + words(entry.getEvery());
      case FIXED_RATE ->
          "rate %s from %s"
              .formatted(
                  words(entry.getFixedRate().getPeriod()),
                  ProtoTime.of(entry.getFixedRate().getAnchor()));
      case CRON -> "cron " + entry.getCron();
      case WHEN_REPORTED -> "when reported";
      case BY_MODULE -> "by module " + entry.getByModule().getModule();
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
      case PUSH_TO_POOL ->
          "push to pool %s %s"
              .formatted(
                  entry.getPushToPool().getPool().getName(),
                  entry.getPushToPool().getPool().getPath());
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
      case TIME -> ProtoTime.of(next.getTime()).toString();
      case NEXT_TICK -> "next tick";
      case AT_NOT_SET -> null;
    };
  }

  private static String words(CronFire fire) {
    Instant time = time(fire);
    return time == null ? "sequence " + fire.getSequence() : time.toString();
  }

  private static @Nullable Instant time(CronFire fire) {
    return fire.hasFireTime() ? ProtoTime.of(fire.getFireTime()) : null;
  }

  private static String words(Duration length) {
    return DurationText.of(ProtoTime.of(length));
  }
}
