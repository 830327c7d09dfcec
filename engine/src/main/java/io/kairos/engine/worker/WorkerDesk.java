package io.kairos.engine.worker;

import io.kairos.engine.loop.NextRound;
import io.kairos.engine.loop.Step;
import io.kairos.engine.task.edge.TaskEdge;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Tells the store every five seconds of the workers that this node has heard of, and learns from it
 * which are drained. A worker whose drain begins or ends is answered at once, without tasks, so
 * that it asks again. What cannot be told while the store does not answer is dropped: a worker soon
 * asks again. One thread drives the step; any thread may call the rest.
 */
public final class WorkerDesk implements WorkerEdge, Step {
  static final Duration EVERY = Duration.ofSeconds(5);

  /** Those that are gone are looked for once in so many rounds. */
  private static final int PRUNES_EVERY = 12;

  private final WorkerStore store;
  private final WorkerRoster roster;
  private final TaskEdge tasks;
  private int rounds;

  public WorkerDesk(WorkerStore store, WorkerRoster roster, TaskEdge tasks) {
    this.store = store;
    this.roster = roster;
    this.tasks = tasks;
  }

  @Override
  public String name() {
    return "share-workers";
  }

  @Override
  public NextRound runOnce() {
    Collection<WorkerSign> signs = roster.take();
    Map<String, Integer> lapsed = roster.takeLapsed();
    if (!signs.isEmpty()) {
      store.see(signs);
    }
    if (!lapsed.isEmpty()) {
      store.lapse(lapsed);
    }
    learnDrains();
    List<WorkerKey> kept = signs.stream().map(WorkerSign::key).filter(roster::isDrained).toList();
    if (!kept.isEmpty()) {
      store.keepDrained(kept);
    }
    if (rounds++ % PRUNES_EVERY == 0) {
      store.prune(WorkerStore.MOST_OF_CALLER, WorkerStore.MOST);
    }
    return NextRound.after(EVERY);
  }

  /** One at a time, so that an older answer of the store never replaces a newer one. */
  private synchronized void learnDrains() {
    Set<WorkerKey> now = store.drained();
    Set<WorkerKey> before = roster.drain(now);
    Set<WorkerKey> changed = new HashSet<>(now);
    changed.removeAll(before);
    before.stream().filter(worker -> !now.contains(worker)).forEach(changed::add);
    changed.forEach(worker -> tasks.leave(worker.worker(), worker.callerOrNull()));
  }

  @Override
  public void asks(WorkerKey worker, Supplier<WorkerDetails> details) {
    roster.asks(worker, details);
  }

  @Override
  public void beats(WorkerKey worker) {
    roster.beats(worker);
  }

  @Override
  public boolean isDrained(WorkerKey worker) {
    return roster.isDrained(worker);
  }

  @Override
  public List<WorkerView> list(WorkerPlace after, int limit) {
    return store.list(after, limit);
  }

  @Override
  public Optional<WorkerView> drain(String worker, boolean isDrained) {
    Optional<WorkerView> found = store.drain(worker, isDrained);
    learnDrains();
    return found;
  }
}
