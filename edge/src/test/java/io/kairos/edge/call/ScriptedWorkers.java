package io.kairos.edge.call;

import io.kairos.engine.worker.WorkerDetails;
import io.kairos.engine.worker.WorkerEdge;
import io.kairos.engine.worker.WorkerKey;
import io.kairos.engine.worker.WorkerPlace;
import io.kairos.engine.worker.WorkerView;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Three workers, of which one is quiet; notes who asks, and drains whom a test wants. */
final class ScriptedWorkers implements WorkerEdge {
  private static final List<WorkerView> KNOWN =
      List.of(worker("db-7/a", false), worker("db-8/b", false), worker("db-1/gone", true));

  final Map<WorkerKey, WorkerDetails> asked = new ConcurrentHashMap<>();
  final AtomicInteger listed = new AtomicInteger();
  volatile Runnable whileListed = () -> {};
  final Set<WorkerKey> beaten = ConcurrentHashMap.newKeySet();
  final Set<String> drained = new ConcurrentSkipListSet<>();

  private static WorkerView worker(String id, boolean isQuiet) {
    return new WorkerView(
        new WorkerKey(id, "app"),
        new WorkerDetails("db-7", "kairos-client 1.2.3", 8, List.of("greet", "resize")),
        3,
        4,
        Edge.NOW.minusSeconds(60),
        Edge.NOW,
        isQuiet,
        false);
  }

  @Override
  public void asks(WorkerKey worker, Supplier<WorkerDetails> details) {
    asked.put(worker, details.get());
  }

  @Override
  public void beats(WorkerKey worker) {
    beaten.add(worker);
  }

  @Override
  public boolean isDrained(WorkerKey worker) {
    return drained.contains(worker.worker());
  }

  @Override
  public List<WorkerView> list(WorkerPlace after, int limit) {
    listed.incrementAndGet();
    whileListed.run();
    return KNOWN.stream()
        .filter(one ->
            Comparator.comparing(WorkerPlace::isQuiet)
                    .thenComparing(place -> place.key().worker())
                    .compare(one.place(), after)
                > 0)
        .limit(limit)
        .toList();
  }

  @Override
  public Optional<WorkerView> drain(String worker, boolean isDrained) {
    if (isDrained) {
      drained.add(worker);
    } else {
      drained.remove(worker);
    }
    return KNOWN.stream()
        .filter(one -> one.key().worker().equals(worker))
        .findFirst()
        .map(one ->
            new WorkerView(
                one.key(),
                one.details(),
                one.running(),
                one.lapsed(),
                one.since(),
                one.seenAt(),
                one.isQuiet(),
                isDrained));
  }
}
