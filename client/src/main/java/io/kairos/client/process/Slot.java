package io.kairos.client.process;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.protobuf.Duration;
import io.kairos.api.v1.HeartbeatResponse.Verdict;
import io.kairos.api.v1.NextWorkResponse;
import io.kairos.api.v1.Result;
import io.kairos.client.exec.ProcessTree;
import io.kairos.client.time.Time;
import io.kairos.client.time.Timer;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One executor process as its controller sees it: whether it waits for work, what it performs, and
 * when it was last heard. One that performs and is silent for too long is killed, with all that it
 * has started. Called by the process's calls, by the worker's threads and by the watch;
 * thread-safe, never blocks.
 */
final class Slot {
  private final Time time;
  private final Timer watch;
  private final java.time.Duration silence;
  private final Runnable idle;

  @GuardedBy("this")
  private @Nullable Poll poll;

  @GuardedBy("this")
  private @Nullable Job job;

  @GuardedBy("this")
  private @Nullable ProcessTree tree;

  @GuardedBy("this")
  private Set<String> offered = Set.of();

  @GuardedBy("this")
  private boolean killed;

  @GuardedBy("this")
  private boolean performed;

  @GuardedBy("this")
  private long heardAtNanos;

  /** What a process has been good for. */
  enum Life {
    /** It has performed a task to its end. */
    USEFUL,
    /** It was killed here before it had performed any. */
    KILLED,
    /** It has performed none, and ended without being killed here. */
    IDLE
  }

  /** A call that waits for work. */
  static final class Poll {
    private final Set<String> handlers;
    private final Consumer<NextWorkResponse> answer;

    /**
     * @param answer of the call; used once
     */
    Poll(Set<String> handlers, Consumer<NextWorkResponse> answer) {
      this.handlers = handlers;
      this.answer = answer;
    }
  }

  /**
   * @param watch its thread kills
   * @param silence after which a process that performs is killed
   * @param idle told when it may have begun to wait for work
   */
  Slot(Time time, Timer watch, java.time.Duration silence, Runnable idle) {
    this.time = time;
    this.watch = watch;
    this.silence = silence;
    this.idle = idle;
  }

  /** A process has begun. */
  synchronized void runs(ProcessTree process) {
    tree = process;
  }

  /**
   * Its process has ended; it cannot perform anything any more.
   *
   * @return what it has been good for
   */
  Life ended(String how) {
    Job lost;
    Life life;
    synchronized (this) {
      life = performed ? Life.USEFUL : killed ? Life.KILLED : Life.IDLE;
      killed = false;
      performed = false;
      tree = null;
      poll = null;
      offered = Set.of();
      lost = job;
      job = null;
    }
    if (lost != null) {
      lost.over(how);
    }
    return life;
  }

  /** Whether its process may be expected to take tasks of this handler, now or next. */
  synchronized boolean offers(String handler) {
    return offered.contains(handler);
  }

  /** If its process neither performs nor asks, nothing is expected of it until it does. */
  synchronized void doubt() {
    if (job == null && poll == null) {
      offered = Set.of();
    }
  }

  void polled(Poll newPoll, java.time.Duration wait) {
    Poll before;
    synchronized (this) {
      before = poll;
      poll = newPoll;
      offered = newPoll.handlers;
    }
    if (before != null) {
      before.answer.accept(nothing());
    }
    watch.after(wait, () -> waitIsOver(newPoll));
    idle.run();
  }

  private void waitIsOver(Poll of) {
    if (gone(of)) {
      of.answer.accept(nothing());
    }
  }

  /** Nobody waits for its answer; true when it had none. */
  synchronized boolean gone(Poll of) {
    boolean waits = poll == of;
    if (waits) {
      poll = null;
    }
    return waits;
  }

  /** Hands a job over if the process waits for one of its handler. */
  boolean take(Job next) {
    Poll taken;
    synchronized (this) {
      taken = poll;
      if (taken == null
          || job != null
          || tree == null
          || !taken.handlers.contains(next.work().getHandler())) {
        return false;
      }
      poll = null;
      job = next;
      heardAtNanos = time.nanos();
    }
    taken.answer.accept(terms().addWork(next.work()).build());
    watch.after(silence, () -> judge(next));
    return true;
  }

  /** How a heartbeat for a task is answered; empty when it is better not answered. */
  synchronized Optional<Verdict> beaten(String id, long fence) {
    if (job == null || !job.is(id, fence)) {
      return Optional.of(Verdict.LOST);
    }
    heardAtNanos = time.nanos();
    // It may go on for as long as the silence that is allowed, whatever becomes of this process.
    if (!job.holdsFor(silence)) {
      return Optional.empty();
    }
    return Optional.of(job.isCancelRequested() ? Verdict.CANCEL_REQUESTED : Verdict.EXTENDED);
  }

  /** False when the process does not hold the task. */
  boolean reported(Result result) {
    Job done;
    synchronized (this) {
      done = job;
      if (done == null || !done.is(result.getId(), result.getFence())) {
        return false;
      }
      job = null;
      performed = true;
    }
    done.report(result);
    idle.run();
    return true;
  }

  private void judge(Job of) {
    long left;
    synchronized (this) {
      if (job != of) {
        return;
      }
      left = silence.toNanos() - (time.nanos() - heardAtNanos);
    }
    if (left > 0) {
      watch.after(java.time.Duration.ofNanos(left), () -> judge(of));
    } else {
      kill(of, "its executor was silent for " + silence.toMillis() + " ms and was killed");
    }
  }

  /** Ends the process if it still performs this. */
  void kill(Job of, String why) {
    ProcessTree doomed;
    synchronized (this) {
      if (job != of || tree == null) {
        return;
      }
      doomed = tree;
      killed = true;
    }
    of.doom(why);
    doomed.kill();
  }

  private NextWorkResponse nothing() {
    return terms().build();
  }

  /** Four heartbeats in the silence that is allowed, so that three may fail. */
  private NextWorkResponse.Builder terms() {
    return NextWorkResponse.newBuilder()
        .setLease(wire(silence))
        .setHeartbeatInterval(wire(silence.dividedBy(4)));
  }

  private static Duration wire(java.time.Duration length) {
    return Duration.newBuilder().setSeconds(length.getSeconds()).setNanos(length.getNano()).build();
  }
}
