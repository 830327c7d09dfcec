package io.kairos.bench.credential;

import io.kairos.bench.load.BenchWait;
import io.kairos.contracts.certificate.TestCertificate;
import java.util.SplittableRandom;

/**
 * The certificate and key that clients and workers show, each time of another CA. One of the
 * callers is known by it.
 */
final class CallerCertificates extends CredentialRotation {
  /** The name by which nodes know the caller. */
  static final String NAME = "bench-caller";

  private TestCertificate authority = TestCertificate.authority("bench callers 0");
  private TestCertificate own = authority.sign(NAME);

  CallerCertificates(CredentialRun run) {
    super(run, "certificate of callers", run.tlsFiles);
    run.files.replace(CredentialFolder.CALLER_AUTHORITIES, authority.certificatePem());
    write();
    run.show(own);
  }

  private void write() {
    run.files.replace(CredentialFolder.CALLER_KEY, own.keyPem());
    run.files.replace(CredentialFolder.CALLER_CERTIFICATE, own.certificatePem());
  }

  private NodeProbe.Answer ask(int port, TestCertificate by) {
    return new NodeProbe(run.probe().trusted(), by).ask(port, "");
  }

  private boolean knows(int port, TestCertificate one) {
    return ask(port, one).status() == NodeProbe.OK;
  }

  @Override
  void replace() {
    TestCertificate former = own;
    TestCertificate next = TestCertificate.authority("bench callers " + (replaced() + 1));
    TestCertificate renewed = next.sign(NAME);
    run.files.replace(
        CredentialFolder.CALLER_AUTHORITIES, authority.certificatePem() + next.certificatePem());
    awaitOnAll("a certificate of the new CA is trusted", port -> knows(port, renewed));
    requireOnAll("the former certificate is not good beside it", port -> knows(port, former));
    authority = next;
    own = renewed;
    write();
    run.show(own);
    BenchWait.pass(TWO_LOOKS);
    run.files.replace(CredentialFolder.CALLER_AUTHORITIES, next.certificatePem());
    awaitOnAll("the former certificate is refused", port -> ask(port, former).isClosed());
    requireOnAll("the new certificate is not good", port -> knows(port, own));
  }

  @Override
  void spoil(SplittableRandom chance) {
    TestCertificate other = authority.sign("other");
    switch (chance.nextInt(6)) {
      case 0 ->
          run.files.spoil(
              CredentialFolder.CALLER_CERTIFICATE, NodeCertificates.half(other.certificatePem()));
      case 1 -> run.files.spoil(CredentialFolder.CALLER_KEY, other.keyPem());
      case 2 -> run.files.remove(CredentialFolder.CALLER_KEY);
      case 3 ->
          run.files.spoil(
              CredentialFolder.CALLER_AUTHORITIES, NodeCertificates.half(other.certificatePem()));
      case 4 -> run.files.spoil(CredentialFolder.CALLER_AUTHORITIES, "");
      default -> run.files.remove(CredentialFolder.CALLER_AUTHORITIES);
    }
    BenchWait.pass(TWO_LOOKS);
    requireOnAll("the old one is not in use beside an unusable one", port -> knows(port, own));
    run.files.replace(CredentialFolder.CALLER_AUTHORITIES, authority.certificatePem());
    write();
  }
}
