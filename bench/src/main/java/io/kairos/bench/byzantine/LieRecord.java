package io.kairos.bench.byzantine;

import io.kairos.api.v1.Replica;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the honest replicas saw during one lie.
 *
 * @param requests that were executed meanwhile
 * @param clockMillis how far agreed time was from the clock of this machine, at most, while all three were there
 * @param seen by each honest replica
 */
record LieRecord(Lie lie, long requests, long clockMillis, List<String> seen) {
  private static final int KINDS_SHOWN = 4;

  /** Kinds that are met without any lie. */
  private static final Set<String> USUAL =
      Set.of("waited", "ancient", "stale", "stall", "installed", "needed", "dropped");

  /** What a replica has counted of the hostile one, and of strangers. */
  static Map<String, Long> counts(Replica replica) {
    Map<String, Long> counts = new HashMap<>();
    replica.getPeerReport().getPeersList().stream()
        .filter(peer -> peer.getNumber() == ByzantineCluster.HOSTILE)
        .flatMap(peer -> peer.getOccurrencesList().stream())
        .forEach(each -> counts.merge(each.getKind(), each.getCount(), Long::sum));
    replica
        .getPeerReport()
        .getStrangersList()
        .forEach(each -> counts.merge("stranger " + each.getKind(), each.getCount(), Long::sum));
    return counts;
  }

  /** The growth of counts, in words; a process that was started again began with 0. */
  static String growth(Map<String, Long> before, Map<String, Long> after) {
    String words =
        after.entrySet().stream()
            .filter(each -> !USUAL.contains(each.getKey()))
            .map(each -> Map.entry(each.getKey(), grown(before, each)))
            .filter(each -> each.getValue() > 0)
            .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder()))
            .limit(KINDS_SHOWN)
            .map(each -> each.getKey().replace('_', ' ') + " " + each.getValue())
            .collect(Collectors.joining(", "));
    return words.isEmpty() ? "nothing" : words;
  }

  private static long grown(Map<String, Long> before, Map.Entry<String, Long> after) {
    long earlier = before.getOrDefault(after.getKey(), 0L);
    return after.getValue() >= earlier ? after.getValue() - earlier : after.getValue();
  }
}
