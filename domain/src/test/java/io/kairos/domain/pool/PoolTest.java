package io.kairos.domain.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kairos.domain.pool.Pool.Endpoints;
import io.kairos.domain.task.queue.PoolName;
import java.util.List;
import org.junit.jupiter.api.Test;

class PoolTest {
  private static final EndpointUrl HTTP = EndpointUrl.of("http://w.example.com");
  private static final EndpointUrl HTTPS = EndpointUrl.of("https://w.example.com");

  private static Pool withCredentials(Endpoints endpoints) {
    Pool pool = Pool.of(new PoolName("jobs"), endpoints);
    return new Pool(
        pool.name(),
        pool.endpoints(),
        pool.routing(),
        pool.ejection(),
        pool.healthPath(),
        pool.requestTimeout(),
        pool.completionTimeout(),
        pool.answersLater(),
        pool.maxInFlight(),
        "partner");
  }

  @Test
  void a_pool_with_credentials_has_https_endpoints_only() {
    for (Endpoints refused :
        List.of(new Endpoints.Listed(List.of(HTTPS, HTTP)), new Endpoints.Resolved(HTTP))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> withCredentials(refused))
          .withMessage("the URLs must be https:// in a pool with tls");
    }
    for (Endpoints taken :
        List.of(
            new Endpoints.Listed(List.of(HTTPS)),
            new Endpoints.Resolved(HTTPS),
            new Endpoints.Registered())) {
      assertThat(withCredentials(taken).tls()).isEqualTo("partner");
    }
  }
}
