package io.kairos.engine.delay;

import java.util.Arrays;
import java.util.Comparator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A hashed timing wheel (Varghese and Lauck 1987, scheme 6; behaviours TW-2, TW-3): one slot per
 * millisecond, a slot's entries form a linked list, entries of later turns stay in their slot until
 * theirs comes. Adding is O(1); the next occupied slot is found through a bitmap, so that empty
 * time costs nothing. What is due comes out in the order of due times. Not thread-safe: {@link
 * Holding} guards it.
 */
final class Wheel {
  private static final int SLOT_BITS = 16;
  private static final int SLOTS = 1 << SLOT_BITS;
  private static final int MASK = SLOTS - 1;
  private static final long MICROS_PER_TICK = 1_000;
  private static final Comparator<Held> DUE_ORDER = Comparator.comparingLong(Held::dueMicros);

  private final @Nullable Held[] slots = new @Nullable Held[SLOTS];
  private final long[] occupied = new long[SLOTS / Long.SIZE];

  /** Every entry of an earlier tick has come out. */
  private long currentTick;

  private int size;

  Wheel(long nowMicros) {
    currentTick = tickOf(nowMicros);
  }

  int size() {
    return size;
  }

  /** Adds an entry; one that is overdue comes out with the next {@link #takeDue}. */
  void add(Held held) {
    int slot = slotOf(Math.max(tickOf(held.dueMicros()), currentTick));
    held.next = slots[slot];
    slots[slot] = held;
    occupied[slot >>> 6] |= 1L << slot;
    size++;
  }

  /**
   * Takes an entry out before its time. O(entries of its slot). Returns false when it is not in the
   * wheel.
   */
  boolean remove(Held held) {
    // What was overdue when it came still is in the current slot: the wheel does not pass entries
    // that are due.
    return removeFrom(slotOf(Math.max(tickOf(held.dueMicros()), currentTick)), held);
  }

  private boolean removeFrom(int slot, Held held) {
    Held before = null;
    for (Held entry = slots[slot]; entry != null; before = entry, entry = entry.next) {
      if (entry == held) {
        if (before == null) {
          put(slot, entry.next);
        } else {
          before.next = entry.next;
        }
        held.next = null;
        size--;
        return true;
      }
    }
    return false;
  }

  /**
   * Takes out entries due at or before {@code untilMicros}, earliest first, at most {@code max}.
   * Returns how many.
   */
  int takeDue(long untilMicros, int max, Consumer<Held> to) {
    // The clock may have been set back: the current slot is looked at all the same.
    long lastTick = Math.max(tickOf(untilMicros), currentTick);
    int taken = 0;
    while (taken < max) {
      long tick = nextOccupied(currentTick, lastTick);
      if (tick > lastTick) {
        currentTick = lastTick;
        break;
      }
      currentTick = tick;
      int before = taken;
      // Entries of later turns may be due too, after a long pause: they wait until the wheel has
      // turned.
      long tickEndMicros = (tick + 1) * MICROS_PER_TICK - 1;
      taken += drainSlot(slotOf(tick), Math.min(untilMicros, tickEndMicros), max - taken, to);
      if (taken == max) {
        break;
      }
      if (tick == lastTick) {
        break; // what is left in this slot is due later in this millisecond, or in a later turn
      }
      if (taken == before) {
        currentTick = tick + 1; // only entries of later turns here
      }
    }
    return taken;
  }

  private int drainSlot(int slot, long untilMicros, int max, Consumer<Held> to) {
    int due = 0;
    for (Held entry = slots[slot]; entry != null; entry = entry.next) {
      if (entry.dueMicros() <= untilMicros) {
        due++;
      }
    }
    if (due == 0) {
      return 0;
    }
    Held[] ready = new Held[due];
    Held kept = null;
    int i = 0;
    for (Held entry = slots[slot]; entry != null; ) {
      Held next = entry.next;
      if (entry.dueMicros() <= untilMicros) {
        ready[i++] = entry;
        entry.next = null;
      } else {
        entry.next = kept;
        kept = entry;
      }
      entry = next;
    }
    if (due > 1) {
      Arrays.sort(ready, DUE_ORDER);
    }
    int given = Math.min(due, max);
    for (int k = due - 1; k >= given; k--) {
      ready[k].next = kept;
      kept = ready[k];
    }
    put(slot, kept);
    size -= given;
    for (int k = 0; k < given; k++) {
      to.accept(ready[k]);
    }
    return given;
  }

  /**
   * A time before which nothing comes due, microseconds; {@link Long#MAX_VALUE} when the wheel is
   * empty. Early when the next occupied slot holds only entries of later turns: the {@link
   * #takeDue} of that time moves on.
   */
  long nextDueMicros() {
    if (size == 0) {
      return Long.MAX_VALUE;
    }
    long tick = nextOccupied(currentTick, currentTick + MASK);
    long earliest = Long.MAX_VALUE;
    for (Held entry = slots[slotOf(tick)]; entry != null; entry = entry.next) {
      earliest = Math.min(earliest, entry.dueMicros());
    }
    return tickOf(earliest) <= tick ? earliest : tick * MICROS_PER_TICK;
  }

  /** Everything that is left, in no order; the wheel is empty afterwards. */
  void clear(Consumer<Held> to) {
    for (int slot = 0; slot < SLOTS; slot++) {
      for (Held entry = slots[slot]; entry != null; ) {
        Held next = entry.next;
        entry.next = null;
        to.accept(entry);
        entry = next;
      }
      put(slot, null);
    }
    size = 0;
  }

  private void put(int slot, @Nullable Held head) {
    slots[slot] = head;
    if (head == null) {
      occupied[slot >>> 6] &= ~(1L << slot);
    }
  }

  /**
   * The first tick from {@code tick} on whose slot is occupied, or one after {@code lastTick};
   * looks at one turn at most.
   */
  private long nextOccupied(long tick, long lastTick) {
    long limit = Math.min(lastTick, tick + MASK);
    long at = tick;
    while (at <= limit) {
      int slot = slotOf(at);
      long word = occupied[slot >>> 6] >>> slot;
      if (word != 0) {
        return at + Long.numberOfTrailingZeros(word);
      }
      at += Long.SIZE - (slot & (Long.SIZE - 1));
    }
    return lastTick + 1;
  }

  private static long tickOf(long micros) {
    return Math.floorDiv(micros, MICROS_PER_TICK);
  }

  private static int slotOf(long tick) {
    return (int) (tick & MASK);
  }
}
