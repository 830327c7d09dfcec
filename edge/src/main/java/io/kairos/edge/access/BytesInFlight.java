package io.kairos.edge.access;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * The bytes of all calls in flight. A third is kept for small requests, so that large ones cannot
 * shut them out. A call counts from its head to the last byte of its answer. Thread-safe.
 */
final class BytesInFlight {
  /** Memory of a request besides its body: headers, context, a wait. */
  private static final long OVERHEAD = 4 << 10;

  private final CallerBudget small;
  private final CallerBudget large;

  /** The part of {@link #large} that is answers. */
  private final CallerBudget answers;

  BytesInFlight(long most) {
    this.small = new CallerBudget(most / 3);
    this.large = new CallerBudget(most - most / 3);
    this.answers = new CallerBudget(most - most / 3);
  }

  /** The most bytes that one large request may have: those of one caller. */
  static long mostOfOne(long most) {
    return (most - most / 3) / 2;
  }

  /**
   * The most calls that may be open, also refused ones, of which one caller may have half: more
   * than can have the bytes to be accepted, so that a caller meets the refusal first.
   */
  static long mostCalls(long most) {
    return most / OVERHEAD;
  }

  long used() {
    return small.used() + large.used();
  }

  /** The bytes of one call. */
  final class Call implements AutoCloseable {
    private final Object caller;

    @GuardedBy("this")
    private long inSmall;

    @GuardedBy("this")
    private long inLarge;

    @GuardedBy("this")
    private boolean isLarge;

    /** For the answer, of which some bytes may not exist yet. */
    @GuardedBy("this")
    private long inAnswers;

    @GuardedBy("this")
    private long answered;

    @GuardedBy("this")
    private long body;

    @GuardedBy("this")
    private boolean closed;

    Call(Object caller) {
      this.caller = caller;
    }

    /**
     * Counts the head of the request; false when there is no room for it, or when the caller has
     * too many answers that it has not read.
     */
    boolean begin() {
      return answers.hasRoom(caller) && take(OVERHEAD);
    }

    /** Counts a piece of the body before it is kept; false when there is no room for it. */
    synchronized boolean takeBody(long bytes) {
      body += bytes;
      return take(bytes);
    }

    /** Bytes of the body that have come. */
    synchronized long body() {
      return body;
    }

    private synchronized boolean take(long bytes) {
      if (closed) {
        return true;
      }
      if (!isLarge && inSmall + bytes <= OVERHEAD + RequestSizes.SMALL) {
        boolean taken = small.take(caller, bytes);
        inSmall += taken ? bytes : 0;
        return taken;
      }
      // A body that turns out to be large leaves nothing of it with the small ones.
      boolean taken = large.take(caller, inSmall + bytes);
      if (taken) {
        isLarge = true;
        inLarge += inSmall + bytes;
        small.giveBack(caller, inSmall);
        inSmall = 0;
      }
      return taken;
    }

    /**
     * Takes room for an answer of so many bytes before it is made; false when its caller has too
     * many answers. When there will be fewer bytes than room was taken for, gives the rest back.
     * Bodies of requests do not keep answers back.
     */
    synchronized boolean takeAnswer(long bytes) {
      long more = Math.max(bytes, answered) - inAnswers;
      if (closed || more == 0) {
        return true;
      }
      if (more < 0) {
        large.giveBack(caller, -more);
        answers.giveBack(caller, -more);
        inLarge += more;
        inAnswers += more;
        return true;
      }
      boolean taken = answers.takeOrBeFirst(caller, more);
      if (taken) {
        count(more);
      }
      return taken;
    }

    /** Counts a piece of the answer, which exists already. */
    synchronized void answered(long bytes) {
      answered += bytes;
      long more = answered - inAnswers;
      if (!closed && more > 0) {
        answers.add(caller, more);
        count(more);
      }
    }

    @GuardedBy("this")
    private void count(long ofAnswer) {
      large.add(caller, ofAnswer);
      inLarge += ofAnswer;
      inAnswers += ofAnswer;
    }

    /** Gives all back; a second time does nothing. */
    @Override
    public synchronized void close() {
      if (!closed) {
        closed = true;
        small.giveBack(caller, inSmall);
        large.giveBack(caller, inLarge);
        answers.giveBack(caller, inAnswers);
      }
    }
  }
}
