package io.kairos.cli.imports;

import io.kairos.client.TaskRequest;
import java.time.Instant;
import java.util.List;

/** What a row of another system's table of jobs becomes. */
public sealed interface JobReading {
  /**
   * A task.
   *
   * @param place where the job stands, for messages
   * @param due due time, which may have passed
   * @param bytes size of the payload
   * @param notes what of the job is not taken over; one text for all jobs of which it is true, so
   *     that they can be counted together
   */
  record Taken(String place, TaskRequest task, Instant due, int bytes, List<String> notes)
      implements JobReading {
    public Taken {
      notes = List.copyOf(notes);
    }
  }

  /**
   * Nothing, because what it stands for is imported otherwise.
   *
   * @param reason one text for all jobs of which it is true
   */
  record Left(String reason) implements JobReading {}

  /** Nothing, because the job cannot be taken over. */
  record Refused(String place, String reason) implements JobReading {}
}
