package io.kairos.client;

import java.util.List;

/**
 * When a schedule would fire.
 *
 * @param description its rule in English
 * @param fires those that will fire and those that will be skipped, as they come
 */
public record Preview(String description, List<PlannedFire> fires) {
  public Preview {
    fires = List.copyOf(fires);
  }
}
