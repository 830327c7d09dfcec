package io.kairos.bench.credential;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.bench.load.BenchWait;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.RunVerdict;
import io.kairos.bench.rig.NodeAccess;
import io.kairos.contracts.certificate.TestCertificate;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * All credentials of some nodes and their callers, in files and at an issuer, and their
 * replacement: a thread for each kind, so that they meet by chance, and one for callers that must
 * not be let in. Nodes are started by {@link #settings}. Used by one thread.
 */
public final class CredentialRun implements AutoCloseable {
  private static final String ISSUER_NAME = "bench";

  final CredentialFolder files;
  final TokenIssuer issuer = new TokenIssuer();
  final ReadWriteLock tlsFiles = new ReentrantReadWriteLock(true);
  private final Consumer<String> progress;
  private final List<CredentialRotation> rotations = new ArrayList<>();
  private final AtomicInteger left = new AtomicInteger();
  private volatile List<Integer> ports = List.of();

  @GuardedBy("this")
  private NodeProbe probe;

  /**
   * Makes the first credentials.
   *
   * @param folder for their files
   * @param progress told of problems, on any thread
   */
  public CredentialRun(Path folder, Consumer<String> progress) {
    this.files = new CredentialFolder(folder);
    this.progress = progress;
    this.probe = new NodeProbe(List.of(), TestCertificate.selfSigned("nobody"));
    rotations.add(new NodeCertificates(this));
    rotations.add(new CallerCertificates(this));
    rotations.add(new CallerTokens(this));
    rotations.add(new SigningKeys(this));
  }

  /** Begins with the keys of pools too. */
  public void keepPoolKeys(Connection database) {
    rotations.add(new PoolKeys(this, database));
  }

  /**
   * Settings of a node.
   *
   * @param node its number, from 1
   */
  public Map<String, String> settings(int node) {
    Map<String, String> settings = new LinkedHashMap<>();
    file(settings, "http.tls.certificate", CredentialFolder.NODE_CERTIFICATE);
    file(settings, "http.tls.key", CredentialFolder.NODE_KEY);
    file(settings, "http.tls.client-ca", CredentialFolder.CALLER_AUTHORITIES);
    file(settings, "http.tokens-file", CredentialFolder.TOKENS);
    file(settings, "push.encryption-key-file", CredentialFolder.POOL_KEYS);
    settings.put("http.callers." + CallerTokens.SUBMITTER + ".roles", "admin");
    settings.put("http.callers." + CallerTokens.PERFORMER + ".roles", "worker");
    settings.put("http.callers.person.roles", "submit, read");
    settings.put("http.callers.person.claims", ISSUER_NAME + "/" + TokenIssuer.ROLE);
    settings.put("http.callers.machine.roles", "submit, read");
    settings.put("http.callers.machine.certificates", "cn:" + CallerCertificates.NAME);
    settings.put("http.issuers." + ISSUER_NAME + ".issuer", TokenIssuer.ISSUER);
    settings.put("http.issuers." + ISSUER_NAME + ".audience", TokenIssuer.AUDIENCE);
    settings.put("http.issuers." + ISSUER_NAME + ".keys-url", issuer.url(node));
    return settings;
  }

  private void file(Map<String, String> settings, String key, String name) {
    settings.put(key, files.path(name).toString());
  }

  /** The files of a client without a token, which its certificate makes known. */
  public NodeAccess byCertificate() {
    return new NodeAccess(
        files.path(CredentialFolder.NODE_AUTHORITIES),
        files.path(CredentialFolder.CALLER_CERTIFICATE),
        files.path(CredentialFolder.CALLER_KEY),
        null);
  }

  /** The files of a client that may do everything. */
  public NodeAccess byToken() {
    return byCertificate().with(files.path(CredentialFolder.SUBMITTER_TOKEN));
  }

  /** The files of workers. */
  public NodeAccess ofWorkers() {
    return byCertificate().with(files.path(CredentialFolder.WORKER_TOKEN));
  }

  /** Gives JSON Web Tokens for a client with the files of {@link #byCertificate}. */
  public Supplier<String> webTokens() {
    return issuer::token;
  }

  List<Integer> ports() {
    return ports;
  }

  void say(String problem) {
    progress.accept(problem);
  }

  /** Nodes have one of these certificates. */
  synchronized void trust(List<TestCertificate> authorities) {
    probe = new NodeProbe(authorities, probe.shown());
  }

  /** Nodes trust this certificate of a caller. */
  synchronized void show(TestCertificate certificate) {
    probe = new NodeProbe(probe.trusted(), certificate);
  }

  /** A probe with what is good now. */
  synchronized NodeProbe probe() {
    return probe;
  }

  /** False when there are no more. */
  boolean takeRound() {
    return left.getAndDecrement() > 0;
  }

  /**
   * Replaces credentials, each kind in turn and all kinds at once, until there were so many
   * replacements.
   *
   * @param nodes their ports, by their numbers
   */
  public void replace(int rounds, List<Integer> nodes, RunVerdict verdict, FigureList figures)
      throws InterruptedException {
    ports = List.copyOf(nodes);
    left.set(rounds);
    SplittableRandom chance = new SplittableRandom();
    ForgedCalls forged = new ForgedCalls(this);
    Thread forger = Thread.ofPlatform().name("bench-forger").daemon().start(forged::run);
    List<Thread> threads = new ArrayList<>();
    for (CredentialRotation each : rotations) {
      SplittableRandom own = chance.split();
      threads.add(
          Thread.ofPlatform()
              .name("bench-" + each.getClass().getSimpleName())
              .daemon()
              .start(() -> each.runAll(own)));
    }
    BenchWait.forEndOf(threads);
    forged.end();
    forger.join();
    forged.report(figures, verdict);
    int replaced = 0;
    for (CredentialRotation each : rotations) {
      each.report(figures);
      replaced += each.replaced();
      each.problems().forEach(problem -> verdict.demand(false, problem));
    }
    verdict.demand(replaced == rounds, "only " + replaced + " replacements came to their end");
  }

  @Override
  public void close() {
    issuer.close();
  }
}
