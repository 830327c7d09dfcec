package io.kairos.bench.replica;

import io.kairos.api.tls.CertificateFiles;
import io.kairos.api.tls.CertificateFiles.Own;
import io.kairos.api.tls.CertificateFiles.PemFile;
import io.kairos.api.tls.TlsMaterial;
import io.kairos.contracts.certificate.TestCertificate;
import io.kairos.hashgraph.Ed25519Keys;
import io.kairos.hashgraph.PeerTls;
import io.kairos.server.replica.SigningKeyPem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.PublicKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A folder with the keys by which replicas sign and encrypt. */
record ReplicaKeys(Path folder) {
  /** Makes the keys of so many replicas. */
  void make(int replicas) throws IOException {
    Files.createDirectories(folder);
    TestCertificate authority = TestCertificate.authority("bench replicas");
    authority.writeCertificate(authorities().path());
    for (int number = 0; number < replicas; number++) {
      TestCertificate own = authority.sign("replica " + number, "ip:127.0.0.1");
      own.writeCertificate(certificate(number).path());
      own.writeKey(key(number).path());
      KeyPair signing = SigningKeyPem.generate();
      Files.writeString(signing(number), SigningKeyPem.print(signing.getPrivate()));
      Files.writeString(published(number), SigningKeyPem.print(signing.getPublic()));
    }
  }

  private PemFile authorities() {
    return new PemFile("authorities", folder.resolve("ca.crt"));
  }

  private PemFile certificate(int number) {
    return new PemFile("certificate", folder.resolve("replica-%d.crt".formatted(number)));
  }

  private PemFile key(int number) {
    return new PemFile("key", folder.resolve("replica-%d.key".formatted(number)));
  }

  private Path signing(int number) {
    return folder.resolve("signing-%d.key".formatted(number));
  }

  private Path published(int number) {
    return folder.resolve("signing-%d.pub".formatted(number));
  }

  private TlsMaterial read(int number) {
    return new CertificateFiles(
            Optional.of(new Own(certificate(number), key(number))), Optional.of(authorities()))
        .read(Instant.now());
  }

  /** How a replica encrypts. */
  PeerTls tls(int number) {
    TlsMaterial material = read(number);
    TlsMaterial.Pair own = material.own().orElseThrow();
    return new PeerTls(own.key(), own.chain(), material.trusted());
  }

  /** How a replica signs. */
  Ed25519Keys signing(int number, int replicas) {
    List<PublicKey> roster = new ArrayList<>();
    for (int each = 0; each < replicas; each++) {
      roster.add(SigningKeyPem.readPublic(published(each).toString()));
    }
    return new Ed25519Keys(SigningKeyPem.readPrivate(signing(number)), roster);
  }
}
