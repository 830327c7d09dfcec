package io.kairos.bench.byzantine;

import io.kairos.api.v1.Replica;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What happened during one attack.
 *
 * @param done how often the hostile replica did it, as it says
 * @param requests that were executed meanwhile
 * @param pushes of the table meanwhile
 * @param clock of all three, before one was killed
 * @param seen what each honest replica has counted meanwhile, by kind
 */
record AttackRecord(
    Attack attack,
    long done,
    long requests,
    long pushes,
    ClockError clock,
    List<Map<String, Long>> seen) {
  static final String STRANGER = "stranger ";

  /** Of three; the third may have been killed before it saw anything. */
  private static final int WITNESSES = 2;

  private static final int KINDS_SHOWN = 5;

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
        .forEach(each -> counts.merge(STRANGER + each.getKind(), each.getCount(), Long::sum));
    return counts;
  }

  /** The growth of counts, without zeros; a process that was started again began with 0. */
  static Map<String, Long> growth(Map<String, Long> before, Map<String, Long> after) {
    Map<String, Long> growth = new HashMap<>();
    after.forEach((kind, count) -> {
      long earlier = before.getOrDefault(kind, 0L);
      long grown = count >= earlier ? count - earlier : count;
      if (grown > 0) {
        growth.put(kind, grown);
      }
    });
    return growth;
  }

  /** True when the attack shows in no count, or enough replicas have counted it. */
  boolean isNoticed() {
    return attack.signs().isEmpty()
        || seen.stream()
                .filter(counts ->
                    attack.signs().stream().mapToLong(sign -> counts.getOrDefault(sign, 0L)).sum()
                        >= attack.least())
                .count()
            >= WITNESSES;
  }

  /** What one replica has counted, in words: the signs of the attack first. */
  String seenBy(int number) {
    String words =
        seen.get(number).entrySet().stream()
            .sorted(
                Comparator.comparing(
                        (Map.Entry<String, Long> each) -> !attack.signs().contains(each.getKey()))
                    .thenComparing(Map.Entry.<String, Long>comparingByValue().reversed()))
            .limit(KINDS_SHOWN)
            .map(each -> each.getKey().replace('_', ' ') + " " + each.getValue())
            .collect(Collectors.joining(", "));
    return words.isEmpty() ? "nothing" : words;
  }
}
