package io.kairos.push;

import static io.kairos.push.Pushing.POOL;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.pool.AllowList;
import io.kairos.domain.pool.EndpointUrl;
import io.kairos.domain.pool.Pool;
import io.kairos.domain.pool.PortList;
import io.kairos.domain.pool.PushRequest;
import io.kairos.domain.task.AttemptOutcome;
import io.kairos.engine.pool.EndpointView;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A name that changes its mind (DNS rebinding; reliability A11). */
@Timeout(120)
class RebindingTest {
  private static final PushRequest HELLO = PushRequest.post(new byte[] {1});

  private static Pool pool(int port) {
    return Pool.of(
        POOL,
        new Pool.Endpoints.Listed(List.of(EndpointUrl.of("http://worker.example.com:" + port))));
  }

  /** 127.0.0.2, where nobody listens; 127.0.0.1 is the secret. Both are this machine. */
  private static AllowList onlyOne() {
    return AllowList.of(List.of("127.0.0.2/32"), PortList.DEFAULT);
  }

  @Test
  void what_is_connected_to_is_the_address_that_was_checked() throws Exception {
    try (WorkerServer secret = WorkerServer.answering(200);
        RebindingDns dns =
            new RebindingDns(
                List.of(List.of("127.0.0.2"), List.of("127.0.0.1")), Duration.ofMinutes(10));
        Pushing pushing = new Pushing(onlyOne(), List.of(dns.address()))) {
      pushing.create(pool(secret.port()));

      // The answer is kept, and whoever asks again is led to the secret.
      assertThat(pushing.push(HELLO))
          .isInstanceOfSatisfying(
              AttemptOutcome.RetryLater.class,
              later ->
                  assertThat(later.error())
                      .startsWith("not sent to ")
                      .contains("/127.0.0.2:" + secret.port()));
      assertThat(secret.got()).isEmpty();
    }
  }

  @Test
  void what_a_name_leads_to_later_is_checked_again_and_refused_with_the_reason() throws Exception {
    try (WorkerServer secret = WorkerServer.answering(200);
        RebindingDns dns =
            new RebindingDns(List.of(List.of("127.0.0.2"), List.of("127.0.0.1")), Duration.ZERO);
        Pushing pushing = new Pushing(onlyOne(), List.of(dns.address()))) {
      pushing.create(pool(secret.port()));

      pushing.until(() ->
          pushing.node.endpoints(POOL).stream()
              .anyMatch(one ->
                  one.endpoint().endsWith(" 127.0.0.1")
                      && one.excluded().contains("is a private address")));
      pushing.tasks.give(POOL, HELLO, 1, null);
      assertThat(secret.got()).isEmpty();
    }
  }

  @Test
  void of_several_addresses_only_those_are_used_that_are_allowed() throws Exception {
    AllowList loopback = AllowList.of(List.of("127.0.0.1/32"), PortList.DEFAULT);
    try (WorkerServer worker = WorkerServer.answering(200);
        RebindingDns dns =
            new RebindingDns(
                List.of(List.of("169.254.169.254", "10.0.0.1", "127.0.0.1", "93.184.216.34")),
                Duration.ZERO);
        Pushing pushing = new Pushing(loopback, List.of(dns.address()))) {
      pushing.create(pool(worker.port()));
      for (int i = 0; i < 5; i++) {
        assertThat(pushing.push(HELLO)).isEqualTo(new AttemptOutcome.Succeeded());
      }

      assertThat(pushing.node.endpoints(POOL))
          .hasSize(4)
          .filteredOn(one -> one.excluded().isEmpty())
          .singleElement()
          .extracting(EndpointView::endpoint)
          .asString()
          .endsWith(" 127.0.0.1");
      assertThat(worker.got().getFirst().header("host"))
          .isEqualTo("worker.example.com:" + worker.port());
    }
  }
}
