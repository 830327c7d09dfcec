package io.kairos.edge.tls;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.kairos.contracts.certificate.TestCertificate;
import java.lang.reflect.Proxy;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLSession;
import org.junit.jupiter.api.Test;

/** By a clock that is ahead of Java's, by which chains are checked. */
class ClientTrustTest {
  private static final Instant END = Instant.parse("2040-01-01T00:00:00Z");

  private final TestCertificate ending = TestCertificate.authority(END, "ending");
  private final TestCertificate lasting = TestCertificate.authority("lasting");
  private Instant now = END.minusSeconds(1);
  private List<X509Certificate> trusted = List.of(ending.certificate(), lasting.certificate());
  private final ClientTrust trust = new ClientTrust(() -> trusted, () -> now);

  private static ServiceRequestContext showing(TestCertificate... chain) {
    Certificate[] shown =
        Arrays.stream(chain).map(TestCertificate::certificate).toArray(Certificate[]::new);
    Map<Object, Object> values = new HashMap<>();
    SSLSession session =
        (SSLSession)
            Proxy.newProxyInstance(
                ClientTrustTest.class.getClassLoader(),
                new Class<?>[] {SSLSession.class},
                (_, method, arguments) ->
                    switch (method.getName()) {
                      case "getPeerCertificates" -> shown;
                      case "getValue" -> values.get(requireNonNull(arguments)[0]);
                      case "putValue" -> values.put(requireNonNull(arguments)[0], arguments[1]);
                      default -> throw new UnsupportedOperationException(method.getName());
                    });
    return ServiceRequestContext.builder(HttpRequest.of(HttpMethod.GET, "/"))
        .sslSession(session)
        .build();
  }

  @Test
  void a_ca_that_has_expired_is_trusted_no_more_though_its_file_is_the_same() {
    ServiceRequestContext old = showing(ending.sign("worker"));
    ServiceRequestContext other = showing(lasting.sign("worker"));
    assertThat(trust.objection(old)).isNull();
    assertThat(trust.objection(other)).isNull();

    now = END.plusSeconds(1);

    assertThat(trust.objection(old)).contains("not trusted any more");
    assertThat(trust.objection(showing(ending.sign("worker")))).contains("not trusted any more");
    assertThat(trust.objection(other)).isNull();
  }

  @Test
  void nobody_is_trusted_when_every_ca_has_expired() {
    trusted = List.of(ending.certificate());
    now = END.plusSeconds(1);

    assertThat(trust.objection(showing(ending.sign("worker")))).contains("not trusted any more");
  }

  @Test
  void a_chain_is_judged_anew_when_a_certificate_of_it_expires() {
    TestCertificate self = TestCertificate.selfSigned(END, "extra");
    ServiceRequestContext open = showing(lasting.sign("worker"), self);
    assertThat(trust.objection(open)).isNull();

    now = END.plusSeconds(1);

    assertThat(trust.objection(open)).as("what has expired is not needed").isNull();
    trusted = List.of();
    assertThat(trust.objection(open)).contains("not trusted any more");
  }

  @Test
  void a_certificate_of_the_client_that_has_expired_is_told() {
    ServiceRequestContext open = showing(lasting.sign(END, "worker"));
    assertThat(trust.objection(open)).isNull();

    now = END.plusSeconds(1);

    assertThat(trust.objection(open)).contains("has expired");
  }
}
