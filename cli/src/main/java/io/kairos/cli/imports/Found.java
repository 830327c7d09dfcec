package io.kairos.cli.imports;

import io.kairos.client.ScheduleSpec;
import java.time.Instant;
import java.util.List;

/**
 * A schedule of another system.
 *
 * @param place where it was found, for people: a line of a file, a trigger's name
 * @param original its rule as the other system writes it
 * @param fires when it fires next by the other system's rule; as many as that system tells
 * @param known what these fire times are of all
 * @param paused it does not fire there at present
 * @param remarks what is not the same afterwards, one sentence each
 */
public record Found(
    String place,
    String original,
    ScheduleSpec spec,
    List<Instant> fires,
    Known known,
    boolean paused,
    List<String> remarks) {
  public Found {
    fires = List.copyOf(fires);
    remarks = List.copyOf(remarks);
  }

  /** How much is known of when it fires there. */
  public enum Known {
    /** The next fire times, after which there may be more. */
    NEXT,
    /** All that are left: it ends with the last. */
    ALL,
    /** They could not be computed: nothing can be compared. */
    NOTHING
  }
}
