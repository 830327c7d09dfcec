package io.kairos.engine.task.memory;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.task.Fairness;
import io.kairos.domain.task.fairness.FairTurns;
import io.kairos.domain.task.fairness.FairTurns.Charge;
import io.kairos.engine.task.port.EnqueuedTask;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of a queue by fairness key. Keys that have due tasks {@linkplain FairTurns take turns},
 * and the tasks without a key take part like one key of weight 1; of one key the earliest task is
 * the first. Not thread-safe.
 */
final class FairTasks implements ReadyTasks {
  /** In place of a key, for tasks without one; no key is empty. */
  static final String NO_KEY = "";

  private static final Comparator<Line> BY_TRIGGER =
      Comparator.comparingLong(Line::firstTriggerMicros).thenComparing(line -> line.key);

  private final Map<String, Line> lines = new HashMap<>();

  /** The keys of lines whose first task is due. */
  private final FairTurns turns = new FairTurns();

  /** The other lines; a line is taken out before its first task changes. */
  private final TreeSet<Line> later = new TreeSet<>(BY_TRIGGER);

  private long nowMicros = Long.MIN_VALUE;
  private int size;

  /** The weights of all lines, added up. */
  private long weights;

  private @Nullable Charge lastTurn;

  /** The tasks of one key; at least one. */
  private static final class Line {
    final String key;
    final TriggerHeap tasks = new TriggerHeap();

    /** Bytes of payload. */
    long bytes;

    /** That of the task which came last. */
    int weight;

    boolean isDue;

    Line(String key) {
      this.key = key;
    }

    long firstTriggerMicros() {
      EnqueuedTask first = tasks.peek();
      return first == null ? Long.MAX_VALUE : first.triggerMicros();
    }
  }

  private static String key(@Nullable Fairness fairness) {
    return fairness == null ? NO_KEY : fairness.key();
  }

  private static int weight(@Nullable Fairness fairness) {
    return fairness == null ? Fairness.LIGHTEST : fairness.weight();
  }

  private static String key(EnqueuedTask task) {
    return key(task.details().fairness());
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public void add(EnqueuedTask task) {
    add(task, weight(task.details().fairness()));
  }

  /** Adds a task to its line, which has this weight from now on. */
  private void add(EnqueuedTask task, int weight) {
    Line line = lines.computeIfAbsent(key(task), Line::new);
    later.remove(line);
    weights += weight - line.weight;
    line.weight = weight;
    line.tasks.add(task);
    line.bytes += task.details().bytes();
    size++;
    if (line.isDue) {
      turns.add(line.key, weight);
    } else {
      later.add(line);
    }
  }

  @Override
  public void giveBack(EnqueuedTask task, @Nullable Charge turn) {
    notBegun(turn);
    Line line = lines.get(key(task));
    int charged = turn == null ? weight(task.details().fairness()) : turn.weight();
    add(task, line == null ? charged : line.weight);
    advance(nowMicros);
  }

  @Override
  public void notBegun(@Nullable Charge turn) {
    if (turn != null) {
      turns.refund(turn);
    }
  }

  @Override
  public @Nullable Charge lastTurn() {
    return lastTurn;
  }

  @Override
  public void advance(long now) {
    nowMicros = now;
    while (!later.isEmpty() && later.first().firstTriggerMicros() <= now) {
      Line line = later.removeFirst();
      line.isDue = true;
      turns.add(line.key, line.weight);
    }
  }

  private @Nullable Line first() {
    String next = turns.next();
    if (next != null) {
      return lines.get(next);
    }
    return later.isEmpty() ? null : later.first();
  }

  @Override
  public @Nullable EnqueuedTask peek() {
    Line line = first();
    return line == null ? null : line.tasks.peek();
  }

  @Override
  public @Nullable EnqueuedTask poll() {
    lastTurn = null;
    Line line = first();
    if (line == null) {
      return null;
    }
    later.remove(line);
    EnqueuedTask task = requireNonNull(line.tasks.poll(), "a key without tasks");
    line.bytes -= task.details().bytes();
    size--;
    if (line.isDue) {
      lastTurn = turns.served(line.key);
    }
    settle(line);
    return task;
  }

  /** Puts a line, which is not among the later ones, where it belongs after tasks have left it. */
  private void settle(Line line) {
    boolean isEmpty = line.tasks.size() == 0;
    if (line.isDue && (isEmpty || line.firstTriggerMicros() > nowMicros)) {
      line.isDue = false;
      turns.remove(line.key);
    }
    if (isEmpty) {
      lines.remove(line.key);
      weights -= line.weight;
    } else if (!line.isDue) {
      later.add(line);
    }
  }

  @Override
  public List<EnqueuedTask> shorten(int size) {
    Map<String, Integer> kept = shares(size);
    List<EnqueuedTask> rest = new ArrayList<>();
    for (Line line : List.copyOf(lines.values())) {
      later.remove(line);
      List<EnqueuedTask> last = line.tasks.shorten(kept.getOrDefault(line.key, 0));
      this.size -= last.size();
      last.forEach(task -> line.bytes -= task.details().bytes());
      rest.addAll(last);
      settle(line);
    }
    return rest;
  }

  /** How many tasks of each key are among the next {@code size}, if all were due. */
  private Map<String, Integer> shares(int size) {
    FairTurns next = new FairTurns();
    lines.forEach((key, line) -> next.add(key, line.weight));
    Map<String, Integer> shares = new HashMap<>();
    for (int i = 0; i < size; i++) {
      String key = next.next();
      if (key == null) {
        break;
      }
      next.served(key);
      int share = shares.getOrDefault(key, 0) + 1;
      shares.put(key, share);
      Line line = lines.get(key);
      if (line == null || share >= line.tasks.size()) {
        next.remove(key);
      }
    }
    return shares;
  }

  @Override
  public List<EnqueuedTask> all() {
    List<EnqueuedTask> all = new ArrayList<>(size);
    lines.values().forEach(line -> all.addAll(line.tasks.all()));
    return all;
  }

  /**
   * True when the key of this task has less here than its share.
   *
   * @param bound tasks that the keys share by their weights
   * @param bytesLeft a key with more bytes than are left has its share of them
   */
  boolean isBelowShare(@Nullable Fairness fairness, int bound, long bytesLeft) {
    Line line = lines.get(key(fairness));
    int weight = weight(fairness);
    return line == null
        || (line.bytes <= bytesLeft
            && line.tasks.size() < share(weight, weights - line.weight + weight, bound));
  }

  private static long share(int weight, long weights, int bound) {
    return Math.max(1, (long) bound * weight / weights);
  }

  /**
   * The keys that have their share here, or more: at most {@code most}, those with the most tasks.
   * The bounds are as above.
   */
  Set<String> full(int bound, long bytesLeft, int most) {
    Set<String> full = new HashSet<>();
    lines.values().stream()
        .filter(line ->
            line.bytes > bytesLeft || line.tasks.size() >= share(line.weight, weights, bound))
        .sorted(
            Comparator.comparingInt((Line line) -> -line.tasks.size())
                .thenComparing(line -> line.key))
        .limit(most)
        .forEach(line -> full.add(line.key));
    return full;
  }
}
