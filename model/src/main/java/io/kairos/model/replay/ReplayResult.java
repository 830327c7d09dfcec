package io.kairos.model.replay;

import java.util.List;

/**
 * Figures of a replayed log that left equal states everywhere. They show that the log exercised the
 * module.
 *
 * @param sequence number of ticks and requests
 * @param fires number of fires of entries
 * @param thrown number of entries and requests that threw, equal everywhere
 */
public record ReplayResult(long sequence, long fires, long thrown) {
  static ReplayResult of(List<ReplayTracePoint> marks) {
    return new ReplayResult(
        marks.getLast().sequence(),
        marks.stream().filter(ReplayTracePoint::isFire).count(),
        marks.stream().filter(mark -> mark.kind() == ReplayTracePoint.Kind.THREW).count());
  }
}
