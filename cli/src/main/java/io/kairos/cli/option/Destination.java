package io.kairos.cli.option;

/** Processes that commands call. */
public enum Destination {
  NODES("KAIROS_ADDRESS", "127.0.0.1:7070", "--address"),
  REPLICAS("KAIROS_CRON_ADDRESS", "127.0.0.1:7171", "--cron-address");

  /** The environment variable with their addresses. */
  final String variable;

  /** Their address on the machine of a beginner. */
  final String usual;

  /** The option of {@code kairos context add} with their addresses. */
  final String contextOption;

  Destination(String variable, String usual, String contextOption) {
    this.variable = variable;
    this.usual = usual;
    this.contextOption = contextOption;
  }
}
