package io.kairos.bench.replica;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.bench.load.BenchWait;
import io.kairos.bench.rig.BenchProcess;
import io.kairos.embedded.ChildProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * A process of {@link ReplicaBenchMain}, which answers each line with a line. A broken replica
 * ends, with the reason in its log. Used by one thread at a time.
 */
final class BenchReplicaProcess extends BenchProcess {
  private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(30);
  private static final Duration LOOK_EVERY = Duration.ofMillis(1);

  private final long startedNanos = System.nanoTime();
  private final Writer in = process().outputWriter(UTF_8);
  private final BufferedReader out = process().inputReader(UTF_8);

  /**
   * The state of a replica.
   *
   * @param requests that were counted
   * @param fires actions that ran
   */
  record State(long sequence, long requests, long fires, String digest) {}

  /**
   * The last snapshot that became the state of a replica.
   *
   * @param atNanos when it had, as {@link System#nanoTime} tells; 0 for none
   */
  record Restored(long atNanos, long bytes) {}

  BenchReplicaProcess(ReplicaSettings settings, Path log) {
    super(
        "replica-" + settings.number(),
        ChildProcess::startTalking,
        command(List.of("-Xmx768m"), ReplicaBenchMain.class, List.of(json(settings))),
        NO_JAVA_OPTIONS,
        log);
  }

  /** About when its process was started. */
  long startedNanos() {
    return startedNanos;
  }

  private void tell(String line) {
    try {
      in.write(line + "\n");
      in.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(name() + " does not listen", e);
    }
  }

  /**
   * The next answer.
   *
   * @throws IllegalStateException when there is none in time, or the process has ended
   */
  private String hear() {
    try {
      if (!BenchWait.until(() -> out.ready() || !process().isAlive(), ANSWERS_WITHIN, LOOK_EVERY)) {
        throw new IllegalStateException(
            name() + " has not answered for " + ANSWERS_WITHIN.toSeconds() + " s");
      }
      String answer = out.readLine();
      if (answer == null) {
        throw new IllegalStateException(name() + " has ended, see its log");
      }
      return answer;
    } catch (IOException e) {
      throw new UncheckedIOException(name() + " has ended", e);
    }
  }

  private String ask(String question) {
    tell(question);
    return hear();
  }

  private long number(String question) {
    return Long.parseLong(ask(question));
  }

  /** Waits until its log is open, which it says unasked. */
  void awaitOpen() {
    hear();
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
    long entries = number("put %d %d %d".formatted(first, count, period.toMillis()));
    if (entries != first + count) {
      throw new IllegalStateException(
          "%d entries were put and %d are there".formatted(first + count, entries));
    }
  }

  /** Starts clients, which make that many requests together. */
  void load(long firstClient, int clients, long requests) {
    ask("load %d %d %d".formatted(firstClient, clients, requests));
  }

  /** The last request of each client that was answered as done, in the order of the clients. */
  List<Long> acknowledgements() {
    return numbers(ask("acknowledgements"));
  }

  /** The last request of each of so many clients that was executed. */
  List<Long> executions(long firstClient, int clients) {
    return numbers(ask("executions %d %d".formatted(firstClient, clients)));
  }

  /** How many replicas it knows to have signed two things where one is allowed. */
  int forkers() {
    return Math.toIntExact(number("forkers"));
  }

  /** Makes so many requests, one every so often, whether the last one was answered or not. */
  void pace(long firstClient, Duration every, int requests) {
    tell("pace %d %d %d".formatted(firstClient, every.toMillis(), requests));
  }

  /** Microseconds from each request to its answer, when all were answered. */
  List<Long> paced() {
    return numbers(hear());
  }

  private static List<Long> numbers(String words) {
    return Stream.of(words.split(" ", -1)).map(Long::valueOf).toList();
  }

  /** Requests that were answered as done so far. */
  long acknowledged() {
    return number("acknowledged");
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
    return number("where");
  }

  State state() {
    String[] words = ask("state").split(" ", -1);
    return new State(
        Long.parseLong(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2]), words[3]);
  }

  /** Number of the leader, as far as this replica knows; -1 for none. */
  int leader() {
    return Math.toIntExact(number("leader"));
  }

  /** Makes the process look for a tick that evaluates under another leader than this one. */
  void watch(int leader) {
    ask("watch " + leader);
  }

  /** When the first tick that it looks for was evaluated, by its nanoTime; 0 while none was. */
  long tickedAtNanos() {
    return number("ticked");
  }

  Restored restored() {
    String[] words = ask("restored").split(" ", -1);
    return new Restored(Long.parseLong(words[0]), Long.parseLong(words[1]));
  }
}
