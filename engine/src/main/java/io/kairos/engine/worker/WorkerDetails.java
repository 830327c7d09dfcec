package io.kairos.engine.worker;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/**
 * Details that a worker gives of itself when it asks for work. The names of handlers are bounded,
 * because all nodes and the store keep them.
 *
 * @param host where it runs; empty when it does not say
 * @param version name and version of its program; empty when it does not say
 * @param slots tasks that it can perform at a time; 0 when it does not say
 * @param handlers those of which it asks for tasks, in order; at most {@value #MOST_HANDLERS}, with
 *     at most {@value #MOST_CHARACTERS} characters together
 */
public record WorkerDetails(String host, String version, int slots, List<String> handlers) {
  private static final int MOST_HANDLERS = 100;
  private static final int MOST_CHARACTERS = 2_000;

  public WorkerDetails {
    handlers = List.copyOf(handlers);
  }

  /** Details of a worker, with as many of its handlers as are kept. */
  public static WorkerDetails of(
      String host, String version, int slots, Collection<String> handlers) {
    List<String> kept = new ArrayList<>();
    int characters = 0;
    for (String handler : new TreeSet<>(handlers)) {
      characters += handler.length();
      if (kept.size() == MOST_HANDLERS || characters > MOST_CHARACTERS) {
        break;
      }
      kept.add(handler);
    }
    return new WorkerDetails(host, version, slots, kept);
  }
}
