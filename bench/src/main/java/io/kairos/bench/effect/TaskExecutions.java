package io.kairos.bench.effect;

import io.kairos.bench.effect.Effect.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Executions of tasks, reconstructed from their effects. The fence tells the executions of a task
 * apart: an effect with a lower fence than one seen before is from an execution that should be
 * over. Built up effect by effect, in their order; not thread-safe.
 */
public final class TaskExecutions {
  private final Map<UUID, NavigableMap<Long, Execution>> byTask = new HashMap<>();
  private final Map<UUID, Execution> underWay = new LinkedHashMap<>();
  private final List<Effect> stale = new ArrayList<>();

  /** One attempt of a task, by its first and its last effect. */
  public record Execution(Effect first, Effect last) {}

  /** The next effect. */
  public void saw(Effect effect) {
    NavigableMap<Long, Execution> attempts =
        byTask.computeIfAbsent(effect.task(), _ -> new TreeMap<>());
    Execution before = attempts.get(effect.fence());
    Execution execution = new Execution(before == null ? effect : before.first(), effect);
    attempts.put(effect.fence(), execution);
    if (effect.fence() < attempts.lastKey()) {
      stale.add(effect);
    } else if (effect.kind() == Kind.END) {
      underWay.remove(effect.task());
    } else {
      underWay.put(effect.task(), execution);
    }
  }

  /** Number of executions. */
  public int count() {
    return byTask.values().stream().mapToInt(Map::size).sum();
  }

  /** Effects of an execution after a later one of the same task had begun. */
  public List<Effect> stale() {
    return List.copyOf(stale);
  }

  /** Number of executions that had stale effects. */
  public int overlapping() {
    Set<List<Object>> ids = new HashSet<>();
    stale.forEach(effect -> ids.add(List.of(effect.task(), effect.fence())));
    return ids.size();
  }

  /** The highest fence of each task that was performed. */
  public Map<UUID, Long> fences() {
    Map<UUID, Long> fences = new HashMap<>();
    byTask.forEach((task, attempts) -> fences.put(task, attempts.lastKey()));
    return fences;
  }

  /** Executions that go on, as far as their effects say. */
  public List<Execution> underWay() {
    return List.copyOf(underWay.values());
  }

  /** The first execution of the same task after this one. */
  public Optional<Execution> after(Execution former) {
    NavigableMap<Long, Execution> attempts =
        byTask.getOrDefault(former.first().task(), new TreeMap<>());
    return Optional.ofNullable(attempts.higherEntry(former.first().fence()))
        .map(Map.Entry::getValue);
  }
}
