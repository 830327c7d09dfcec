package io.kairos.model.replay;

import java.util.List;

/**
 * Contents of a replayed log that left the same state everywhere. They show that the log exercised
 * the module.
 *
 * @param sequence how many ticks and requests it had
 * @param fires how many times an entry has fired
 * @param thrown how many entries and requests have thrown, the same ones everywhere
 */
public record ReplayResult(long sequence, long fires, long thrown) {
  static ReplayResult of(List<ReplayTracePoint> marks) {
    return new ReplayResult(
        marks.getLast().sequence(),
        marks.stream().filter(ReplayTracePoint::isFire).count(),
        marks.stream().filter(mark -> mark.kind() == ReplayTracePoint.Kind.THREW).count());
  }
}
