package io.kairos.bench.credential;

import io.kairos.bench.load.BenchWait;
import io.kairos.contracts.certificate.TestCertificate;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;

/** The certificate and key of the nodes, each time of another CA. */
final class NodeCertificates extends CredentialRotation {
  private static final String[] NAMES = {"dns:localhost", "ip:127.0.0.1"};

  private TestCertificate authority = TestCertificate.authority("bench nodes 0");
  private TestCertificate own = authority.sign("node", NAMES);

  NodeCertificates(CredentialRun run) {
    super(run, "certificate of nodes", run.tlsFiles);
    run.files.replace(CredentialFolder.NODE_AUTHORITIES, authority.certificatePem());
    write();
    run.trust(List.of(authority));
  }

  private void write() {
    run.files.replace(CredentialFolder.NODE_KEY, own.keyPem());
    run.files.replace(CredentialFolder.NODE_CERTIFICATE, own.certificatePem());
  }

  private boolean isServed(int port) {
    return run.probe().ask(port, "").serial().equals(own.certificate().getSerialNumber());
  }

  @Override
  void replace() {
    TestCertificate next = TestCertificate.authority("bench nodes " + (replaced() + 1));
    run.files.replace(
        CredentialFolder.NODE_AUTHORITIES, authority.certificatePem() + next.certificatePem());
    run.trust(List.of(authority, next));
    BenchWait.pass(TWO_LOOKS);
    authority = next;
    own = next.sign("node", NAMES);
    write();
    awaitOnAll("the new certificate is served", this::isServed);
    run.files.replace(CredentialFolder.NODE_AUTHORITIES, next.certificatePem());
    run.trust(List.of(next));
    requireOnAll("no certificate of the new CA is served", this::isServed);
  }

  @Override
  void spoil(SplittableRandom chance) {
    TestCertificate other = authority.sign("node", NAMES);
    String certificate = CredentialFolder.NODE_CERTIFICATE;
    switch (chance.nextInt(6)) {
      case 0 -> run.files.spoil(certificate, half(other.certificatePem()));
      case 1 -> run.files.spoil(CredentialFolder.NODE_KEY, half(other.keyPem()));
      case 2 -> run.files.spoil(CredentialFolder.NODE_KEY, other.keyPem());
      case 3 -> run.files.spoil(certificate, "no certificate");
      case 4 -> run.files.remove(CredentialFolder.NODE_KEY);
      default -> {
        TestCertificate expired = authority.sign(Instant.now().minusSeconds(60), "node", NAMES);
        run.files.spoil(CredentialFolder.NODE_KEY, expired.keyPem());
        run.files.spoil(certificate, expired.certificatePem());
      }
    }
    BenchWait.pass(TWO_LOOKS);
    requireOnAll("the old one is not in use beside an unusable one", this::isServed);
    write();
  }

  static String half(String text) {
    return text.substring(0, text.length() / 2);
  }
}
