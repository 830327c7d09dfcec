package io.kairos.client.schedule;

import java.util.List;

/**
 * The times at which a schedule would fire.
 *
 * @param description the rule in English
 * @param fires fire times in order, including those that will be skipped
 */
public record Preview(String description, List<PlannedFire> fires) {
  public Preview {
    fires = List.copyOf(fires);
  }
}
