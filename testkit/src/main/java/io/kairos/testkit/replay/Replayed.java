package io.kairos.testkit.replay;

import java.util.List;

/**
 * What was in a log that has left the same state everywhere: to see that it has tried what it was
 * meant to try.
 *
 * @param sequence how many ticks and requests it had
 * @param fires how many times an entry has fired
 * @param thrown how many entries and requests have thrown, the same ones everywhere
 */
public record Replayed(long sequence, long fires, long thrown) {
  static Replayed of(List<Mark> marks) {
    return new Replayed(
        marks.getLast().sequence(),
        marks.stream().filter(Mark::isFire).count(),
        marks.stream().filter(mark -> mark.kind() == Mark.Kind.THREW).count());
  }
}
