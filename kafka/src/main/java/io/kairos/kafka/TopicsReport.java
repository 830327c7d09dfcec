package io.kairos.kafka;

import java.util.List;

/**
 * The result of checking the topics.
 *
 * @param brokers number of brokers in the cluster
 * @param created topics that were missing
 * @param remarks warnings for operators about unsafe settings; already logged
 */
public record TopicsReport(int brokers, List<String> created, List<String> remarks) {
  public TopicsReport {
    created = List.copyOf(created);
    remarks = List.copyOf(remarks);
  }
}
