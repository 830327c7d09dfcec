package io.kairos.spring;

import static java.util.Objects.requireNonNull;

import io.kairos.client.KairosClient;
import io.kairos.client.encryption.EncryptedPayloads;
import io.kairos.client.net.ConnectionBuilder;
import io.kairos.client.worker.Worker;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/** The nodes of {@code kairos.address}. */
record ServerNodes(
    KairosProperties properties,
    @Nullable EncryptedPayloads payloads,
    List<KairosConnectionCustomizer> customizers)
    implements Nodes {
  @Override
  public KairosClient.Builder client() {
    return connected(KairosClient.builder(addresses()));
  }

  @Override
  public Worker.Builder worker() {
    return connected(Worker.builder(addresses()));
  }

  private String[] addresses() {
    return properties.address().toArray(String[]::new);
  }

  private <B extends ConnectionBuilder<B>> B connected(B builder) {
    KairosProperties.Tls tls = properties.tls();
    if (StringUtils.hasLength(properties.token())) {
      builder.token(requireNonNull(properties.token()));
    }
    if (properties.tokenFile() != null) {
      builder.tokenFile(properties.tokenFile());
    }
    if (tls.trustedCertificates() != null) {
      builder.trustedCertificates(tls.trustedCertificates());
    }
    if (tls.certificate() != null || tls.key() != null) {
      if (tls.certificate() == null || tls.key() == null) {
        throw new KairosConfigurationException(
            "One of kairos.tls.certificate and kairos.tls.key is set.", "Set both of them.");
      }
      builder.clientCertificate(tls.certificate(), tls.key());
    }
    if (payloads != null) {
      builder.encryption(payloads);
    }
    customizers.forEach(each -> each.customize(builder));
    return builder;
  }

  /** They run already, or will. */
  @Override
  public void start(Set<String> handlers) {}

  @Override
  public String answered() {
    return "nodes answer";
  }

  /** They belong to all applications. */
  @Override
  public void close() {}
}
