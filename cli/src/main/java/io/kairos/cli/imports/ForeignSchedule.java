package io.kairos.cli.imports;

import io.kairos.client.ScheduleSpec;
import java.time.Instant;
import java.util.List;

/**
 * A schedule of another system.
 *
 * @param place where the schedule was found, for messages: a line of a file, or the name of a
 *     trigger
 * @param original the rule as the other system writes it
 * @param fires the next fire times in the other system, as many as are known
 * @param known how complete these fire times are
 * @param paused true when the schedule is paused in the other system
 * @param remarks differences after the import, one sentence each
 */
public record ForeignSchedule(
    String place,
    String original,
    ScheduleSpec spec,
    List<Instant> fires,
    Known known,
    boolean paused,
    List<String> remarks) {
  public ForeignSchedule {
    fires = List.copyOf(fires);
    remarks = List.copyOf(remarks);
  }

  /** How much is known about the fire times in the other system. */
  public enum Known {
    /** The next fire times are known; more may follow. */
    NEXT,
    /** All remaining fire times are known; the schedule ends with the last. */
    ALL,
    /** The fire times could not be computed and cannot be compared. */
    NOTHING
  }
}
