package io.kairos.bench.credential;

import io.kairos.bench.load.BenchWait;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.RunVerdict;
import io.kairos.contracts.certificate.TestCertificate;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * Asks every node again and again with credentials that are nobody's, and counts who is let in. A
 * thread of its own runs it; its figures are read when that has ended.
 */
final class ForgedCalls {
  private static final Duration PACE = Duration.ofSeconds(2);

  /** Beyond their bound, nodes put off tokens from the address of so many wrong signatures. */
  private static final String NOBODYS_ADDRESS = "127.0.0.2";

  private final CredentialRun run;
  private final Map<String, Integer> letIn = new TreeMap<>();
  private int calls;
  private volatile boolean ended;

  ForgedCalls(CredentialRun run) {
    this.run = run;
  }

  void run() {
    while (!ended) {
      for (int port : run.ports()) {
        run.issuer.forged().forEach((what, token) -> see(what, probe().ask(port, token)));
        see("no known token", probe().ask(port, "0".repeat(64)));
        TestCertificate foreign =
            TestCertificate.authority("bench callers").sign(CallerCertificates.NAME);
        see(
            "a certificate of another CA",
            new NodeProbe(run.probe().trusted(), foreign, NOBODYS_ADDRESS).ask(port, ""));
      }
      BenchWait.pass(PACE);
    }
  }

  private NodeProbe probe() {
    NodeProbe good = run.probe();
    return new NodeProbe(good.trusted(), good.shown(), NOBODYS_ADDRESS);
  }

  private void see(String what, NodeProbe.Answer answer) {
    calls++;
    if (answer.isKnown()) {
      letIn.merge(what + " (" + answer.status() + ")", 1, Integer::sum);
    }
  }

  void end() {
    ended = true;
  }

  void report(FigureList figures, RunVerdict verdict) {
    figures
        .row("forged and expired credentials")
        .count("forged.calls", "calls", calls)
        .count("forged.letIn", "let in", letIn.values().stream().mapToInt(count -> count).sum());
    verdict.demand(letIn.isEmpty(), "let in: " + letIn);
  }
}
