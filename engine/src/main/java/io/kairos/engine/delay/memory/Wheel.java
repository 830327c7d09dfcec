package io.kairos.engine.delay.memory;

import java.util.Arrays;
import java.util.Comparator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A hashed timing wheel (Varghese and Lauck 1987, scheme 6) with one slot per millisecond. A slot's
 * messages form a linked list; messages of later turns stay in their slot until their turn comes.
 * Adding is O(1). A bitmap finds the next occupied slot, so that empty slots cost nothing. Due
 * messages come out in the order of due times, equal ones as they were added. Not thread-safe:
 * {@link MessageHolding} guards the wheel.
 */
final class Wheel {
  private static final int SLOT_BITS = 16;
  private static final int SLOTS = 1 << SLOT_BITS;
  private static final int MASK = SLOTS - 1;
  private static final long MICROS_PER_TICK = 1_000;
  private static final Comparator<HeldMessage> DUE_ORDER =
      Comparator.comparingLong(HeldMessage::dueMicros);

  private final @Nullable HeldMessage[] slots = new @Nullable HeldMessage[SLOTS];
  private final long[] occupied = new long[SLOTS / Long.SIZE];

  /** The tick in milliseconds before which no message is left. */
  private long currentTick;

  private int size;

  Wheel(long nowMicros) {
    currentTick = tickOf(nowMicros);
  }

  int size() {
    return size;
  }

  /** Adds a message. An overdue message comes out with the next {@link #takeDue}. */
  void add(HeldMessage held) {
    int slot = slotOf(Math.max(tickOf(held.dueMicros()), currentTick));
    held.next = slots[slot];
    slots[slot] = held;
    occupied[slot >>> 6] |= 1L << slot;
    size++;
  }

  /**
   * Takes a message out before its time. Linear in the messages of its slot. Returns false when the
   * message is not in the wheel.
   */
  boolean remove(HeldMessage held) {
    // A message that was overdue when it was added is still in the current slot: the wheel does not
    // pass due messages.
    int slot = slotOf(Math.max(tickOf(held.dueMicros()), currentTick));
    HeldMessage before = null;
    for (HeldMessage entry = slots[slot]; entry != null; before = entry, entry = entry.next) {
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
   * Takes out messages due at or before {@code untilMicros}, earliest first, at most {@code max}.
   * Returns their number.
   */
  int takeDue(long untilMicros, int max, Consumer<HeldMessage> to) {
    // The clock may have been set back: the current slot is always searched.
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
      // After a long pause messages of later turns may be due too: they wait until the wheel has
      // turned.
      long tickEndMicros = (tick + 1) * MICROS_PER_TICK - 1;
      taken += drainSlot(slotOf(tick), Math.min(untilMicros, tickEndMicros), max - taken, to);
      if (taken == max) {
        break;
      }
      if (tick == lastTick) {
        break; // messages left in this slot are due later in this millisecond, or in a later turn
      }
      if (taken == before) {
        currentTick = tick + 1; // the slot has only messages of later turns
      }
    }
    return taken;
  }

  private int drainSlot(int slot, long untilMicros, int max, Consumer<HeldMessage> to) {
    int due = 0;
    for (HeldMessage entry = slots[slot]; entry != null; entry = entry.next) {
      if (entry.dueMicros() <= untilMicros) {
        due++;
      }
    }
    if (due == 0) {
      return 0;
    }
    HeldMessage[] ready = new HeldMessage[due];
    HeldMessage first = null;
    HeldMessage last = null;
    int i = due; // a slot has the newest message first
    for (HeldMessage entry = slots[slot]; entry != null; ) {
      HeldMessage next = entry.next;
      if (entry.dueMicros() <= untilMicros) {
        ready[--i] = entry;
        entry.next = null;
      } else {
        if (last == null) {
          first = entry;
        } else {
          last.next = entry;
        }
        last = entry;
      }
      entry = next;
    }
    if (due > 1) {
      Arrays.sort(ready, DUE_ORDER);
    }
    if (last != null) {
      last.next = null;
    }
    int given = Math.min(due, max);
    for (int k = given; k < due; k++) {
      ready[k].next = first;
      first = ready[k];
    }
    put(slot, first);
    size -= given;
    for (int k = 0; k < given; k++) {
      to.accept(ready[k]);
    }
    return given;
  }

  /**
   * A time before which no message is due, in microseconds; {@link Long#MAX_VALUE} when the wheel
   * is empty. The time is too early when the next occupied slot has only messages of later turns;
   * the {@link #takeDue} of that time then passes the slot.
   */
  long nextDueMicros() {
    if (size == 0) {
      return Long.MAX_VALUE;
    }
    long tick = nextOccupied(currentTick, currentTick + MASK);
    long earliest = Long.MAX_VALUE;
    for (HeldMessage entry = slots[slotOf(tick)]; entry != null; entry = entry.next) {
      earliest = Math.min(earliest, entry.dueMicros());
    }
    return tickOf(earliest) <= tick ? earliest : tick * MICROS_PER_TICK;
  }

  /** Empties the wheel and passes every message on, in no order. */
  void clear(Consumer<HeldMessage> to) {
    for (int slot = 0; slot < SLOTS; slot++) {
      for (HeldMessage entry = slots[slot]; entry != null; ) {
        HeldMessage next = entry.next;
        entry.next = null;
        to.accept(entry);
        entry = next;
      }
      put(slot, null);
    }
    size = 0;
  }

  private void put(int slot, @Nullable HeldMessage head) {
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
