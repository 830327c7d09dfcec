package io.kairos.bench.trial;

import io.kairos.bench.observe.ArrivalLedger;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.report.RunVerdict;
import java.time.Duration;

/**
 * Accounts of all messages or tasks that a load sent.
 *
 * @param uncertain sent, but not known to be accepted
 * @param worstLag how far the load was behind its schedule at most
 * @param ledger arrivals or executions
 * @param left unfinished in the store when no more arrivals came
 * @param otherwise ended without success
 */
public record LoadAccounts(
    long sent,
    long accepted,
    long uncertain,
    Duration worstLag,
    ArrivalLedger ledger,
    ArrivalLedger.Missing missing,
    long left,
    long otherwise) {
  public long duplicates() {
    return ledger.count().duplicates();
  }

  public long early() {
    return ledger.count().early();
  }

  public long damaged() {
    return ledger.count().damaged();
  }

  /** Describes the losses, with some of the sequence numbers. */
  public String losses() {
    return "%d are lost, for example %s".formatted(missing.lost(), missing.named());
  }

  /** Losses and damage make a run void; other irregularities make it not clean. */
  public RunVerdict judge(RunVerdict verdict) {
    return verdict
        .demand(missing.lost() == 0, losses())
        .demand(damaged() == 0, "values are damaged")
        .expect(early() == 0, "early messages")
        .expect(left == 0, "rows left behind")
        .expect(otherwise == 0, "ends without success");
  }

  /** Adds the accounts as a row. */
  public FigureList report(FigureList figures) {
    return figures
        .row("accounts")
        .count("sent", "sent", sent)
        .count("accepted", "accepted", accepted)
        .count("uncertain", "uncertain", uncertain)
        .count("arrived", "arrived", ledger.count().distinct())
        .count("lost", "lost", missing.lost())
        .count("duplicated", "duplicated", duplicates())
        .count("early", "early", early())
        .add(
            "mostEarlyMillis",
            "by at most",
            Unit.MILLIS,
            ledger.count().mostEarly().toNanos() / 1e6)
        .count("damaged", "damaged", damaged())
        .count("leftInStore", "left in the store", left)
        .count("endedOtherwise", "ended otherwise", otherwise);
  }
}
