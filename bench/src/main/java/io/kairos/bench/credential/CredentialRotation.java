package io.kairos.bench.credential;

import io.kairos.api.tls.TlsWatch;
import io.kairos.bench.load.BenchWait;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.FigureList.Unit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.function.IntPredicate;

/**
 * Replaces one kind of credential again and again as an operator does, so that old and new are good
 * for a while, and checks that the new one is in use and the old one is not. Now and then puts
 * something unusable in its place, and checks that the old one stays in use. Runs on a thread of
 * its own; its figures are read when that has ended.
 */
abstract class CredentialRotation {
  /** After so long whoever watches a file has looked at it, on a busy machine too. */
  static final Duration TWO_LOOKS = TlsWatch.LOOKS_EVERY.multipliedBy(2).plusSeconds(1);

  private static final Duration IN_USE_WITHIN = Duration.ofSeconds(40);
  private static final Duration LOOK_EVERY = Duration.ofMillis(250);
  private static final int SPOILED_EVERY = 4;
  private static final int LONGEST_PAUSE_MILLIS = 2_000;

  final CredentialRun run;
  private final String kind;
  private final ReadWriteLock files;
  private int replaced;
  private int spoiled;
  private Duration slowest = Duration.ZERO;
  private final List<String> problems = new ArrayList<>();

  /**
   * @param kind in words
   * @param files locked for whoever spoils one, because watchers take all files of TLS together:
   *     none of them is renewed while another one is unusable
   */
  CredentialRotation(CredentialRun run, String kind, ReadWriteLock files) {
    this.run = run;
    this.kind = kind;
    this.files = files;
  }

  /** Replaces the credential and returns when the new one is in use and the old one is not. */
  abstract void replace();

  /** Puts something unusable there for a while. */
  abstract void spoil(SplittableRandom chance);

  /** Goes on until the rounds of the run are used up. */
  final void runAll(SplittableRandom chance) {
    try {
      while (run.takeRound()) {
        files.readLock().lock();
        try {
          replace();
        } finally {
          files.readLock().unlock();
        }
        replaced++;
        if (replaced % SPOILED_EVERY == 2) {
          files.writeLock().lock();
          try {
            spoil(chance);
          } finally {
            files.writeLock().unlock();
          }
          spoiled++;
        }
        BenchWait.pass(Duration.ofMillis(chance.nextInt(LONGEST_PAUSE_MILLIS)));
      }
    } catch (RuntimeException e) {
      problems.add(kind + ": " + e);
    }
  }

  /** Waits until this holds at all nodes, by their ports. */
  final void awaitOnAll(String what, IntPredicate node) {
    long began = System.nanoTime();
    require(
        BenchWait.until(() -> run.ports().stream().allMatch(node::test), IN_USE_WITHIN, LOOK_EVERY),
        "not within " + IN_USE_WITHIN.toSeconds() + " s: " + what);
    Duration took = Duration.ofNanos(System.nanoTime() - began);
    slowest = took.compareTo(slowest) > 0 ? took : slowest;
  }

  /** Requires this of all nodes, by their ports, now. */
  final void requireOnAll(String what, IntPredicate node) {
    require(run.ports().stream().allMatch(node::test), what);
  }

  final void require(boolean holds, String otherwise) {
    if (!holds) {
      problems.add(kind + " " + replaced + ": " + otherwise);
      run.say(problems.getLast());
    }
  }

  int replaced() {
    return replaced;
  }

  List<String> problems() {
    return problems;
  }

  void report(FigureList figures) {
    String key = kind.replace(' ', '-');
    figures
        .row(kind)
        .count(key + ".replaced", "replaced", replaced)
        .count(key + ".spoiled", "unusable for a while", spoiled)
        .add(key + ".slowestMillis", "in use after at most", Unit.MILLIS, slowest.toNanos() / 1e6)
        .count(key + ".problems", "problems", problems.size());
  }
}
