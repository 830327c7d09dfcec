package io.kairos.kafka;

import java.util.List;

/**
 * What the check of the topics found.
 *
 * @param brokers in the cluster now
 * @param created topics that were missing
 * @param remarks sentences for the operator about what is not as safe as it could be; they have
 *     been logged
 */
public record TopicsReport(int brokers, List<String> created, List<String> remarks) {
  public TopicsReport {
    created = List.copyOf(created);
    remarks = List.copyOf(remarks);
  }
}
