package io.kairos.domain.delay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

class HeaderCodecTest {
  @Test // CH-B9
  void ch_9_order_repeats_nulls_and_empty_values_are_kept() {
    List<MessageHeader> headers =
        List.of(
            new MessageHeader("b", new byte[] {0, -1}),
            new MessageHeader("a", null),
            new MessageHeader("b", new byte[0]),
            new MessageHeader("", new byte[] {1}),
            new MessageHeader("ü😀", new byte[] {2}));

    assertThat(HeaderCodec.decode(HeaderCodec.encode(headers))).isEqualTo(headers);
  }

  @Test
  void no_headers_are_no_bytes() {
    assertThat(HeaderCodec.encode(List.of())).isEmpty();
    assertThat(HeaderCodec.decode(new byte[0])).isEmpty();
  }

  @Test
  void ch_9_any_headers_come_back_as_they_were() {
    long seed = Long.getLong("test.seed", System.nanoTime());
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);

    for (int round = 0; round < 2_000; round++) {
      List<MessageHeader> headers = new ArrayList<>();
      for (int i = random.nextInt(6); i > 0; i--) {
        byte[] value = new byte[random.nextInt(40)];
        random.nextBytes(value);
        headers.add(new MessageHeader(name(random), random.nextInt(5) == 0 ? null : value));
      }
      assertThat(HeaderCodec.decode(HeaderCodec.encode(headers)))
          .as("-Dtest.seed=%d", seed)
          .isEqualTo(headers);
    }
  }

  @Test
  void bytes_that_were_cut_off_are_refused_and_never_read_past() {
    byte[] encoded = HeaderCodec.encode(List.of(new MessageHeader("name", new byte[] {1, 2, 3})));

    for (int length = 1; length < encoded.length; length++) {
      byte[] cut = Arrays.copyOf(encoded, length);
      assertThatThrownBy(() -> HeaderCodec.decode(cut))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  private static String name(RandomGenerator random) {
    StringBuilder name = new StringBuilder();
    for (int i = random.nextInt(8); i > 0; i--) {
      name.appendCodePoint(
          random.nextBoolean() ? random.nextInt(1, 0xd800) : random.nextInt(0x10000, 0x10ffff));
    }
    return name.toString();
  }
}
