package io.kairos.engine.task.port.operator;

import static io.kairos.domain.check.ArgumentCheck.require;

/**
 * A bound on a handler's unfinished tasks.
 *
 * @param maxUnfinished the bound; 0 refuses every task
 * @param unfinished the present number
 */
public record AdmissionQuota(long maxUnfinished, long unfinished) {
  public AdmissionQuota {
    require(maxUnfinished >= 0, "a quota must not be negative");
  }

  public boolean allows(long more) {
    return unfinished + more <= maxUnfinished;
  }
}
