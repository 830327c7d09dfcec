package io.kairos.edge;

import io.kairos.engine.audit.AuditTrail;
import io.kairos.engine.audit.AuditedCall;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A process as the edge sees it. Called by the edge's threads at any time; must not block. */
public interface ProcessView {
  /** A few lines for people who open the address in a browser. */
  String greeting();

  /** The version of the process; empty when it is not known. */
  default String version() {
    return "";
  }

  /** Reasons to restart the process, one sentence each; empty while it is healthy. */
  default List<String> ailments() {
    return List.of();
  }

  /** Reasons why the process is not ready, one sentence each; empty while it is. */
  List<String> obstacles();

  /** The audit log; empty while the process cannot work, when calls that need it are refused. */
  default Optional<AuditTrail> audit() {
    return Optional.empty();
  }

  /** Records a refused call, if need be until there is an audit log. */
  default void refused(AuditedCall call, String outcome) {
    audit().ifPresent(trail -> trail.refused(call, outcome));
  }

  /**
   * The kinds of work that the process takes in, by name, each with the reasons why it takes in
   * none of this kind although the process is ready. Empty before the start, and for a process that
   * has only one kind.
   */
  default Map<String, List<String>> doors() {
    return Map.of();
  }

  /** Further members of the body of {@code /readyz}. */
  default Map<String, Object> details() {
    return Map.of();
  }
}
