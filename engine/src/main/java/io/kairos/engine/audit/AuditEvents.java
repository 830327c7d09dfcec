package io.kairos.engine.audit;

import java.util.OptionalInt;

/**
 * Is told of each entry, for the log. Called on threads of calls and of the engine; never blocks.
 */
public interface AuditEvents {
  /** Ignores everything. */
  AuditEvents NONE =
      new AuditEvents() {
        @Override
        public void recorded(AuditedCall call, String outcome, long more) {}

        @Override
        public void lost(int entries) {}

        @Override
        public void undecided(OptionalInt entries) {}
      };

  /**
   * A call has ended, or was refused.
   *
   * @param outcome the code of gRPC
   * @param more as in {@link AuditRecord}
   */
  void recorded(AuditedCall call, String outcome, long more);

  /** So many refusals and outcomes are not in the table, because the store did not take them. */
  void lost(int entries);

  /**
   * So many calls of the last hour, of all processes, have entries without an outcome and should
   * have ended. Told again and again; empty while the store does not answer.
   */
  void undecided(OptionalInt entries);
}
