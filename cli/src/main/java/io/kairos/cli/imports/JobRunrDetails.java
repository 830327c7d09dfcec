package io.kairos.cli.imports;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What JobRunr calls: a method of a class, with parameters. It has found these in the bytecode of
 * the lambda that was enqueued, and stores them as JSON.
 *
 * @param payload class, method and parameters, as JobRunr's JSON
 * @param values placeholders of names
 */
record JobRunrDetails(String payload, Map<String, String> values) {
  /**
   * @param job a job or a recurring job
   */
  static JobRunrDetails of(JsonFields job) {
    JsonFields details = job.fields("jobDetails");
    String type = details.text("className");
    Map<String, String> values = new LinkedHashMap<>();
    values.put("class", type.substring(type.lastIndexOf('.') + 1));
    values.put("method", details.text("methodName"));
    values.put("signature", job.text("jobSignature"));
    return new JobRunrDetails(details.object().toString(), values);
  }
}
