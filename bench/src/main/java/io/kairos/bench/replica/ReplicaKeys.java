package io.kairos.bench.replica;

import io.kairos.api.tls.CertificateFiles;
import io.kairos.api.tls.CertificateFiles.Own;
import io.kairos.api.tls.CertificateFiles.PemFile;
import io.kairos.api.tls.TlsMaterial;
import io.kairos.contracts.certificate.ReplicaFiles;
import io.kairos.hashgraph.Ed25519Keys;
import io.kairos.hashgraph.HashgraphConfig;
import io.kairos.hashgraph.PeerTls;
import io.kairos.server.replica.SigningKeyPem;
import java.security.PublicKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Reads the keys by which replicas sign and encrypt. */
public record ReplicaKeys(ReplicaFiles files) {
  /** How a replica encrypts. */
  public PeerTls tls(int number) {
    TlsMaterial material =
        new CertificateFiles(
                Optional.of(
                    new Own(
                        new PemFile("certificate", files.certificate(number)),
                        new PemFile("key", files.key(number)))),
                Optional.of(new PemFile("authorities", files.trusted())))
            .read(Instant.now());
    TlsMaterial.Pair own = material.own().orElseThrow();
    return new PeerTls(own.key(), own.chain(), material.trusted());
  }

  /** How a replica signs. */
  public Ed25519Keys signing(int number) {
    return new Ed25519Keys(SigningKeyPem.readPrivate(files.signingKey(number)), roster());
  }

  private List<PublicKey> roster() {
    return files.publicKeys().stream().map(SigningKeyPem::readPublic).toList();
  }

  /** The name under which replicas with these keys sign. */
  public String named(String cluster) {
    return HashgraphConfig.named(cluster, roster());
  }
}
