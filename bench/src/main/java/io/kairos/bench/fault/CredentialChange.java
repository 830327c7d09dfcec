package io.kairos.bench.fault;

import io.kairos.bench.credential.CredentialRun;
import io.kairos.bench.credential.ReconnectingCaller;
import io.kairos.bench.fault.scene.CredentialScene;
import io.kairos.bench.fault.scene.FaultContext;
import io.kairos.bench.fault.scene.FaultVerdict;
import io.kairos.bench.load.BenchWait;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.rig.BenchNodeProcess;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.trial.LoadAccounts;
import io.kairos.client.KairosClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/**
 * Certificates, tokens and keys of two nodes and their callers are replaced under tasks, with an
 * overlap, and now and then by something unusable. No call may fail, and nobody gets in who should
 * not.
 */
final class CredentialChange {
  private static final int NODES = 2;

  private CredentialChange() {}

  static void happen(FaultContext context, FaultVerdict verdict)
      throws SQLException, InterruptedException {
    Map<String, String> set = Map.of();
    try (CredentialRun run = new CredentialRun(folder(context), context::say)) {
      BenchRig rig = context.startRigWithoutBroker();
      run.keepPoolKeys(rig.connect());
      for (int node = 1; node <= NODES; node++) {
        set = run.settings(node);
        context.node.speakTls(run.byToken(), set);
        rig.startNode();
      }
      replace(context, run, rig, verdict);
    } finally {
      context.node.speakPlainly(set);
    }
  }

  private static Path folder(FaultContext context) {
    try {
      return Files.createDirectories(context.resolve("credentials"));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make a folder for credentials", e);
    }
  }

  private static void replace(
      FaultContext context, CredentialRun run, BenchRig rig, FaultVerdict verdict)
      throws SQLException, InterruptedException {
    CredentialScene scene = new CredentialScene(context, rig, run);
    List<ReconnectingCaller> callers =
        List.of(
            caller(rig, "token", run.byToken().apply(builder(rig))),
            caller(
                rig, "web-token", run.byCertificate().apply(builder(rig)).token(run.webTokens())),
            caller(rig, "certificate", run.byCertificate().apply(builder(rig))));
    scene.startLoad();
    BenchWait.pass(context.options.warmup);
    int failedBefore = scene.failures();
    List<Integer> ports = rig.nodes().stream().map(BenchNodeProcess::port).toList();
    context.say("credentials are replaced");
    run.replace(context.options.rounds, ports, verdict.demands(), verdict.figures());
    for (ReconnectingCaller caller : callers) {
      caller.end();
    }
    run.byToken().useHere();
    double refusedFiles = rig.metric("kairos_edge_certificate_refused_total");
    double failedHandshakes = rig.metric("kairos_edge_handshakes_failed_total");
    double formerCertificates = rig.metric("kairos_edge_client_certificate_refused_total");
    int survived = rig.nodes().size();
    LoadAccounts accounts = scene.settle();
    List<String> failures = callers.stream().flatMap(caller -> caller.failures().stream()).toList();
    long overlapping = scene.overlapping();
    verdict
        .saw("files of TLS that nodes refused", Unit.COUNT, refusedFiles)
        .saw("handshakes that failed, by the run's own probes too", Unit.COUNT, failedHandshakes)
        .saw("calls sent away for a former certificate", Unit.COUNT, formerCertificates)
        .saw("tasks pushed with a good signature", Unit.COUNT, scene.verified())
        .saw("calls that failed in the warm-up", Unit.COUNT, failedBefore)
        .saw("calls that failed", Unit.COUNT, accounts.uncertain())
        .saw("the last of them says", scene.failure())
        .saw(
            "calls over a new connection",
            Unit.COUNT,
            callers.stream().mapToInt(ReconnectingCaller::calls).sum())
        .saw("calls over a new connection that failed", Unit.COUNT, failures.size())
        .saw("executions twice at a time", Unit.COUNT, overlapping)
        .demand(survived == NODES, "a node did not survive")
        .demand(accounts.uncertain() == 0, "calls failed: " + scene.failure())
        .demand(
            failures.isEmpty(),
            "calls over a new connection failed: " + failures.stream().findFirst().orElse(""))
        .demand(overlapping == 0, "executions of a task overlapped")
        .account(accounts);
  }

  private static KairosClient.Builder builder(BenchRig rig) {
    return KairosClient.builder(rig.addresses());
  }

  private static ReconnectingCaller caller(BenchRig rig, String who, KairosClient.Builder builder) {
    return rig.keep(new ReconnectingCaller(who, builder));
  }
}
