package io.kairos.client.process;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.HeartbeatResponse.Verdict;
import io.kairos.api.v1.NextWorkResponse;
import io.kairos.api.v1.Progress;
import io.kairos.api.v1.Result;
import io.kairos.client.exec.ProcessTree;
import io.kairos.client.time.ActionTimer;
import io.kairos.client.time.ClientTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The state of one executor process: its waiting call, and its jobs with their last heartbeats. It
 * gets as many jobs as it asks for. A process that performs a job without a heartbeat of it for too
 * long is killed with its descendants, which ends its other jobs as well. Called by the process's
 * calls, the worker's threads and the watch timer. Thread-safe; never blocks.
 */
final class ExecutorSlot {
  private final ClientTime time;
  private final ActionTimer watch;
  private final java.time.Duration silence;
  private final Runnable idle;

  @GuardedBy("this")
  private @Nullable Poll poll;

  /** Jobs under way, each with the monotonic time of its last heartbeat. */
  @GuardedBy("this")
  private final Map<ExecutorJob, Long> jobs = new LinkedHashMap<>();

  @GuardedBy("this")
  private @Nullable ProcessTree tree;

  @GuardedBy("this")
  private Set<String> offered = Set.of();

  @GuardedBy("this")
  private boolean killed;

  @GuardedBy("this")
  private boolean performed;

  /** What a process did before it ended. */
  enum Life {
    /** The process has performed a task to its end. */
    USEFUL,
    /** The controller killed the process before it had performed a task. */
    KILLED,
    /** The process ended by itself before it had performed a task. */
    IDLE
  }

  /** A call that waits for work. */
  record Poll(Set<String> handlers, Consumer<NextWorkResponse> answer) {}

  /**
   * @param watch timer whose thread kills processes
   * @param silence time without a heartbeat after which a process with a job is killed
   * @param idle is run when the process may have begun to wait for work
   */
  ExecutorSlot(ClientTime time, ActionTimer watch, java.time.Duration silence, Runnable idle) {
    this.time = time;
    this.watch = watch;
    this.silence = silence;
    this.idle = idle;
  }

  /** Takes a started process. */
  synchronized void runs(ProcessTree process) {
    tree = process;
  }

  /**
   * Ends the jobs of a process that has ended.
   *
   * @return the kind of life that the process had
   */
  Life ended(String how) {
    List<ExecutorJob> lost;
    Life life;
    synchronized (this) {
      life = performed ? Life.USEFUL : killed ? Life.KILLED : Life.IDLE;
      killed = false;
      performed = false;
      tree = null;
      poll = null;
      offered = Set.of();
      lost = List.copyOf(jobs.keySet());
      jobs.clear();
    }
    lost.forEach(job -> job.over(how));
    return life;
  }

  /** True when the process takes tasks of this handler now, or is expected to after its job. */
  synchronized boolean offers(String handler) {
    return offered.contains(handler);
  }

  /** Stops expecting calls of a process that neither has a job nor waits for one. */
  synchronized void doubt() {
    if (jobs.isEmpty() && poll == null) {
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

  /** Removes a waiting call; returns true when it was not yet answered. */
  synchronized boolean gone(Poll of) {
    boolean waits = of.equals(poll);
    if (waits) {
      poll = null;
    }
    return waits;
  }

  /** Hands a job to the process if it waits for a job of that handler. */
  boolean take(ExecutorJob next) {
    Poll taken;
    synchronized (this) {
      taken = poll;
      if (taken == null || tree == null || !taken.handlers.contains(next.work().getHandler())) {
        return false;
      }
      poll = null;
      jobs.put(next, time.nanos());
    }
    taken.answer.accept(terms().addWork(next.work()).build());
    watch.after(silence, () -> judge(next));
    return true;
  }

  /** Returns the verdict on a heartbeat for a task; empty when the heartbeat must fail. */
  synchronized Optional<Verdict> beaten(String id, long fence) {
    ExecutorJob job = find(id, fence);
    if (job == null) {
      return Optional.of(Verdict.LOST);
    }
    jobs.put(job, time.nanos());
    // The executor may go on for the allowed silence, even when this process is suspended
    // meanwhile.
    if (!job.holdsFor(silence)) {
      return Optional.empty();
    }
    return Optional.of(job.isCancelRequested() ? Verdict.CANCEL_REQUESTED : Verdict.EXTENDED);
  }

  /** Takes what an executor says of a job's progress; nothing when it does not hold the task. */
  void progressed(String id, long fence, Progress said) {
    ExecutorJob job;
    synchronized (this) {
      job = find(id, fence);
    }
    if (job != null) {
      job.progress(said);
    }
  }

  /** Takes a result; returns false when the process does not hold the task. */
  boolean reported(Result result) {
    ExecutorJob done;
    synchronized (this) {
      done = find(result.getId(), result.getFence());
      if (done == null) {
        return false;
      }
      jobs.remove(done);
      performed = true;
    }
    done.report(result);
    idle.run();
    return true;
  }

  @GuardedBy("this")
  private @Nullable ExecutorJob find(String id, long fence) {
    for (ExecutorJob job : jobs.keySet()) {
      if (job.is(id, fence)) {
        return job;
      }
    }
    return null;
  }

  /** Number of jobs under way. */
  synchronized int load() {
    return jobs.size();
  }

  private void judge(ExecutorJob of) {
    long left;
    synchronized (this) {
      Long heardAtNanos = jobs.get(of);
      if (heardAtNanos == null) {
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

  /** Kills the process if it still performs this job. */
  void kill(ExecutorJob of, String why) {
    ProcessTree doomed;
    synchronized (this) {
      if (!jobs.containsKey(of) || tree == null) {
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

  /** Four heartbeats fit into the allowed silence, so that three may fail. */
  private NextWorkResponse.Builder terms() {
    return NextWorkResponse.newBuilder()
        .setLease(ProtoTime.of(silence))
        .setHeartbeatInterval(ProtoTime.of(silence.dividedBy(4)));
  }
}
