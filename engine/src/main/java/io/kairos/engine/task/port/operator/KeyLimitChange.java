package io.kairos.engine.task.port.operator;

/** What became of the change of a limit by key. */
public sealed interface KeyLimitChange {
  /** It is set. */
  record Done() implements KeyLimitChange {}

  /** Nodes run whose builds would not count for it. */
  record OlderNodes(int nodes) implements KeyLimitChange {}

  /** There are as many limits as there may be. */
  record TooMany() implements KeyLimitChange {}
}
