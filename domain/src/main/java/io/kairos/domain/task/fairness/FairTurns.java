package io.kairos.domain.task.fairness;

import static io.kairos.domain.check.ArgumentCheck.require;

import io.kairos.domain.task.Fairness;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Weighted round robin between keys that have work: stride scheduling (Waldspurger and Weihl, 1995)
 * with the virtual time of fair queueing. Each turn moves a key's pass on by one stride, which is
 * the shorter the heavier the key; the key with the earliest pass is next. Of keys that have work
 * all the time, none is ever more than about one turn ahead of its share. A key that comes with its
 * first work begins at the virtual time, or one turn behind the earliest pass when that is earlier,
 * so it waits for at most one turn of each other key, however much work that has. A key whose work
 * ends is remembered while it is ahead of its share, so that one which comes and goes gets no more
 * than one which stays.
 *
 * <p>Costs O(log k) for each turn of k keys, and remembers at most {@value #MOST_REMEMBERED} keys
 * without work. Not thread-safe.
 */
public final class FairTurns {
  /** Keys without work that are remembered; beyond it the one that has least to wait is not. */
  public static final int MOST_REMEMBERED = 10_000;

  /**
   * The stride of a key of weight 1. Passes wrap around: they are compared by their difference,
   * which is never more than some strides.
   */
  private static final long STRIDE = 1L << 40;

  private final Map<String, Turn> byKey = new HashMap<>();
  private final TreeSet<Turn> working = new TreeSet<>(FairTurns::compare);
  private final TreeSet<Turn> remembered = new TreeSet<>(FairTurns::compare);

  /** The pass that a key should have which has had its share. */
  private long virtualTime;

  /**
   * The weights of all keys that have work or are remembered, added up. The virtual time goes by
   * one stride while so many turns are given.
   */
  private long weights;

  private long arrivals;
  private long refunded;

  /** The place of a key; it is taken out of its set before a field changes. */
  private static final class Turn {
    final String key;
    int weight;
    long pass;

    /** Among equal passes the first to come is the first. */
    long arrival;

    boolean isWorking;

    Turn(String key, long pass) {
      this.key = key;
      this.pass = pass;
    }

    long stride() {
      return STRIDE / weight;
    }
  }

  /** What a turn has cost, to be given back when it comes to nothing. */
  public static final class Charge {
    private final String key;
    private final int weight;
    private final long stride;

    /** How far it has moved the virtual time. */
    private final long passed;

    private Charge(Turn turn, long passed) {
      this.key = turn.key;
      this.weight = turn.weight;
      this.stride = turn.stride();
      this.passed = passed;
    }

    public String key() {
      return key;
    }

    /** The weight that the key had. */
    public int weight() {
      return weight;
    }
  }

  private static int compare(Turn one, Turn other) {
    long passes = one.pass - other.pass;
    return Long.signum(passes != 0 ? passes : one.arrival - other.arrival);
  }

  /** Notes that a key has work, with this weight from now on. */
  public void add(String key, int weight) {
    require(
        weight >= Fairness.LIGHTEST && weight <= Fairness.HEAVIEST,
        "a fairness weight is " + Fairness.WEIGHT_RULE);
    Turn turn = byKey.computeIfAbsent(key, name -> new Turn(name, beginning()));
    if (turn.isWorking) {
      weights += weight - turn.weight;
      turn.weight = weight;
      return;
    }
    if (remembered.remove(turn)) {
      weights -= turn.weight;
    }
    turn.isWorking = true;
    turn.weight = weight;
    turn.pass = later(turn.pass, beginning());
    turn.arrival = arrivals++;
    weights += weight;
    working.add(turn);
  }

  /** Notes that a key has no more work. */
  public void remove(String key) {
    Turn turn = byKey.get(key);
    if (turn == null || !turn.isWorking) {
      return;
    }
    working.remove(turn);
    turn.isWorking = false;
    remembered.add(turn);
    forget();
  }

  /** Returns the key whose turn it is; null when no key has work. */
  public @Nullable String next() {
    return working.isEmpty() ? null : working.first().key;
  }

  /** Returns the number of keys that have work. */
  public int size() {
    return working.size();
  }

  /**
   * Notes that a key that has work had a turn.
   *
   * @return what it has cost; null when the key has no work
   */
  public @Nullable Charge served(String key) {
    Turn turn = byKey.get(key);
    if (turn == null || !turn.isWorking) {
      return null;
    }
    working.remove(turn);
    turn.pass += turn.stride();
    turn.arrival = arrivals++;
    working.add(turn);
    long before = virtualTime;
    virtualTime = later(before + STRIDE / weights, working.first().pass);
    forget();
    return new Charge(turn, virtualTime - before);
  }

  /**
   * Takes back a turn that came to nothing: the key and the virtual time go back by what it has
   * moved them, but the virtual time to one turn before the earliest pass at most. To be called
   * before the key is {@linkplain #add added} again, because a key that has been without work saves
   * up nothing.
   */
  public void refund(Charge charge) {
    Turn turn = byKey.get(charge.key);
    if (turn != null) {
      TreeSet<Turn> place = turn.isWorking ? working : remembered;
      place.remove(turn);
      turn.pass -= charge.stride;
      turn.arrival = --refunded; // before all of its pass
      place.add(turn);
    }
    virtualTime -= charge.passed;
    if (!working.isEmpty()) {
      virtualTime = later(virtualTime, working.first().pass - STRIDE);
    }
    forget();
  }

  /**
   * The pass of a key that comes anew. Turns that come to nothing may leave a key far behind the
   * virtual time, and nobody waits until that has caught up.
   */
  private long beginning() {
    if (working.isEmpty()) {
      return virtualTime;
    }
    long oneTurnLater = working.first().pass + STRIDE;
    return later(virtualTime, oneTurnLater) == virtualTime ? oneTurnLater : virtualTime;
  }

  /** Drops keys without work that are no more ahead of their share, and those beyond the bound. */
  private void forget() {
    while (!remembered.isEmpty()
        && (remembered.size() > MOST_REMEMBERED || remembered.first().pass - beginning() <= 0)) {
      Turn first = remembered.removeFirst();
      weights -= first.weight;
      byKey.remove(first.key);
    }
  }

  private static long later(long one, long other) {
    return one - other >= 0 ? one : other;
  }
}
