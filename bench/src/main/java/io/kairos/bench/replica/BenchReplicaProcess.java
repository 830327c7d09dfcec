package io.kairos.bench.replica;

import io.kairos.bench.load.BenchWait;
import io.kairos.bench.rig.TalkingProcess;
import io.kairos.bench.rig.TalkingProcess.Line;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A {@link ReplicaBenchMain} that runs, as the bench sees it. Used by one thread at a time. */
final class BenchReplicaProcess extends TalkingProcess {
  private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(30);
  private static final String BROKEN = "broken";

  private final long startedNanos = System.nanoTime();
  private final LinkedBlockingQueue<Line> told = new LinkedBlockingQueue<>();
  private volatile @Nullable String broken;

  /**
   * The state of a replica.
   *
   * @param requests that were counted
   * @param fires actions that ran
   */
  record State(long sequence, long requests, long fires, String digest) {}

  /**
   * Requests that were answered as done.
   *
   * @param atNanos of that process
   */
  record Mark(long atNanos, long acknowledged) {}

  BenchReplicaProcess(ReplicaSettings settings, Path log) {
    super(
        "replica-" + settings.number(),
        List.of("-Xmx768m"),
        ReplicaBenchMain.class,
        settings.arguments(),
        log);
    hearFrom(this::heard);
  }

  private void heard(Line line) {
    if (line.text().startsWith(BROKEN) || line.text().equals(ENDED)) {
      broken = line.text();
    }
    told.add(line);
  }

  /** About when its process was started. */
  long startedNanos() {
    return startedNanos;
  }

  /**
   * The next line that it says unasked and that is wanted; those before it are forgotten.
   *
   * @throws IllegalStateException when there is none in time, or the replica has stopped
   */
  Line await(Predicate<String> wanted, Duration atMost) {
    long until = System.nanoTime() + atMost.toNanos();
    try {
      while (true) {
        Line line = told.poll(until - System.nanoTime(), TimeUnit.NANOSECONDS);
        if (line == null || broken != null) {
          throw new IllegalStateException(
              name() + (broken == null ? " did not say what it should in time" : ": " + broken));
        }
        if (wanted.test(line.text())) {
          return line;
        }
      }
    } catch (InterruptedException e) {
      throw BenchWait.interrupted(name(), e);
    }
  }

  /** Lines that were not answers, since the last call. */
  List<Line> told() {
    List<Line> lines = new ArrayList<>();
    told.drainTo(lines);
    return lines;
  }

  Line awaitOpen() {
    return await("open"::equals, ANSWERS_WITHIN);
  }

  /** Puts the table in, which ticks from then on. */
  void putTable(Duration tick) {
    ask("table " + tick.toMillis());
  }

  /**
   * Puts entries in, behind those that are there.
   *
   * @param first how many are there, from position 0 on
   * @throws IllegalStateException if not all of them are there then
   */
  void put(int first, int count, Duration period) {
    long entries = Long.parseLong(ask("put %d %d %d".formatted(first, count, period.toMillis())));
    if (entries != first + count) {
      throw new IllegalStateException(
          "%d entries were put and %d are there".formatted(first + count, entries));
    }
  }

  /** Starts clients, which make that many requests together. */
  void load(long firstClient, int clients, long requests) {
    ask("load %d %d %d".formatted(firstClient, clients, requests));
  }

  Mark mark() {
    String[] words = ask("mark").split(" ", -1);
    return new Mark(Long.parseLong(words[0]), Long.parseLong(words[1]));
  }

  /** Ends its clients; {@link #ended} says what they have done. */
  void end() {
    tell("end");
  }

  /** Requests that were answered as done in all. */
  long ended() {
    return Long.parseLong(hear());
  }

  long where() {
    return Long.parseLong(ask("where"));
  }

  State state() {
    String[] words = ask("state").split(" ", -1);
    return new State(
        Long.parseLong(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2]), words[3]);
  }

  /** Number of the leader, as far as this replica knows; -1 for none. */
  int leader() {
    return Integer.parseInt(ask("leader"));
  }

  /** From now on it tells of each tick. */
  void watch() {
    ask("watch");
  }
}
