package io.kairos.edge.caller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class AddressCountsTest {
  private static final int MOST = 3;

  private long nanos;
  private final AddressCounts counts = new AddressCounts(MOST, () -> nanos);

  private void fill(String address) {
    for (int i = 0; i < MOST; i++) {
      assertThat(counts.isFull(address)).isFalse();
      assertThat(counts.add(address)).isEqualTo(i);
    }
    assertThat(counts.isFull(address)).isTrue();
  }

  @Test
  void an_address_has_a_bound_for_a_minute() {
    fill("10.0.0.1");
    assertThat(counts.isFull("10.0.0.2")).isFalse();

    nanos += Duration.ofSeconds(61).toNanos();

    fill("10.0.0.1");
  }

  @Test
  void a_network_of_a_host_counts_as_one_address() {
    fill("2001:db8:1:2::1");

    assertThat(counts.isFull("2001:db8:1:2:ffff:1:2:3")).isTrue();
    assertThat(counts.isFull("2001:db8:1:2::9%eth0")).isTrue();
    assertThat(counts.isFull("2001:db8:1:3::1")).isFalse();
    assertThat(counts.isFull("not:an:address")).isFalse();
  }

  @Test
  void strangers_at_many_addresses_lock_nobody_else_out_until_they_have_spent_much_together() {
    for (int i = 0; i < 1_500; i++) {
      counts.add("address " + i);
    }
    assertThat(counts.isFull("honest")).isFalse();

    for (int i = 0; i < 1_000 * MOST; i++) {
      counts.add("another " + i);
    }
    assertThat(counts.isFull("honest")).isTrue();
    assertThat(counts.isFull("address 7")).as("has a count of its own").isFalse();
  }
}
