package io.kairos.model.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.engine.worker.WorkerDetails;
import io.kairos.engine.worker.WorkerKey;
import io.kairos.engine.worker.WorkerPlace;
import io.kairos.engine.worker.WorkerSign;
import io.kairos.engine.worker.WorkerStore;
import io.kairos.engine.worker.WorkerView;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** {@link WorkerStore} in memory. Thread-safe. */
public class ModelWorkerStore implements WorkerStore {
  private static final Comparator<WorkerPlace> IN_LIST =
      Comparator.comparing(WorkerPlace::isQuiet)
          .thenComparing(place -> place.key().worker())
          .thenComparing(place -> place.key().caller());

  private static final WorkerDetails NOTHING_SAID = new WorkerDetails("", "", 0, List.of());

  private final InstantSource clock;
  private final ToIntFunction<WorkerKey> running;

  @GuardedBy("this")
  private final Map<WorkerKey, SeenWorker> seen = new HashMap<>();

  /** The drained workers, with the time when each was last heard of. */
  @GuardedBy("this")
  private final Map<WorkerKey, Instant> drained = new HashMap<>();

  private record SeenWorker(
      WorkerKey key, WorkerDetails details, Instant since, Instant seenAt, long lapsed) {}

  /**
   * @param clock the store's own clock
   * @param running counts the tasks that a worker performs
   */
  public ModelWorkerStore(InstantSource clock, ToIntFunction<WorkerKey> running) {
    this.clock = clock;
    this.running = running;
  }

  @Override
  public synchronized void see(Collection<WorkerSign> signs) {
    Instant now = clock.instant();
    for (WorkerSign sign : signs) {
      SeenWorker before = seen.get(sign.key());
      WorkerDetails details = sign.details();
      if (details == null && before != null) {
        details = before.details();
      }
      if (details != null && isNews(before, details, now)) {
        seen.put(
            sign.key(),
            new SeenWorker(
                sign.key(),
                details,
                before == null ? now : before.since(),
                now,
                before == null ? 0 : before.lapsed()));
      }
    }
  }

  @GuardedBy("this")
  private boolean isNews(@Nullable SeenWorker before, WorkerDetails details, Instant now) {
    return before == null
        ? seen.size() < 2 * MOST
        : before.seenAt().isBefore(now.minus(SIGNED_EVERY))
            || !Objects.equals(before.details(), details);
  }

  /** Loses the signs of life, as a store that fails may. */
  public synchronized void loseSigns() {
    seen.clear();
  }

  @Override
  public synchronized void lapse(Map<String, Integer> leases) {
    seen.replaceAll((key, one) ->
        new SeenWorker(
            key,
            one.details(),
            one.since(),
            one.seenAt(),
            one.lapsed() + leases.getOrDefault(key.worker(), 0)));
  }

  @Override
  public synchronized Set<WorkerKey> drained() {
    return Set.copyOf(drained.keySet());
  }

  @Override
  public synchronized void keepDrained(Collection<WorkerKey> heardOf) {
    for (WorkerKey worker : heardOf) {
      drained.replace(worker, clock.instant());
    }
  }

  @Override
  public synchronized void prune(int mostOfCaller, int most) {
    Instant before = clock.instant().minus(KEPT);
    drained.values().removeIf(heardOf -> heardOf.isBefore(before));
    List<SeenWorker> latestFirst =
        seen.values().stream().sorted(Comparator.comparing(SeenWorker::seenAt).reversed()).toList();
    Map<String, Integer> ofCaller = new HashMap<>();
    int all = 0;
    for (SeenWorker one : latestFirst) {
      int ofThis = ofCaller.getOrDefault(one.key().caller(), 0) + 1;
      ofCaller.put(one.key().caller(), ofThis);
      all++;
      if (one.seenAt().isBefore(before) || ofThis > mostOfCaller || all > most) {
        seen.remove(one.key());
      }
    }
  }

  @Override
  public synchronized List<WorkerView> list(WorkerPlace after, int limit) {
    return seen.values().stream()
        .map(this::view)
        .filter(one -> IN_LIST.compare(one.place(), after) > 0)
        .sorted(Comparator.comparing(WorkerView::place, IN_LIST))
        .limit(limit)
        .toList();
  }

  private synchronized WorkerView view(SeenWorker one) {
    return new WorkerView(
        one.key(),
        one.details(),
        running.applyAsInt(one.key()),
        one.lapsed(),
        one.since(),
        one.seenAt(),
        one.seenAt().isBefore(clock.instant().minus(QUIET_AFTER)),
        drained.containsKey(one.key()));
  }

  @Override
  public synchronized Optional<WorkerView> drain(String worker, boolean isDrained) {
    Instant now = clock.instant();
    List<SeenWorker> found = new ArrayList<>(seen.values());
    found.removeIf(one -> !one.key().worker().equals(worker));
    for (Map.Entry<WorkerKey, Instant> one : drained.entrySet()) {
      if (one.getKey().worker().equals(worker) && !seen.containsKey(one.getKey())) {
        Instant heardOf = one.getValue();
        found.add(new SeenWorker(one.getKey(), NOTHING_SAID, heardOf, heardOf, 0));
      }
    }
    if (isDrained) {
      for (SeenWorker one : found) {
        drained.putIfAbsent(one.key(), now);
      }
    } else {
      drained.keySet().removeIf(key -> key.worker().equals(worker));
    }
    return found.stream().max(Comparator.comparing(SeenWorker::seenAt)).map(this::view);
  }
}
