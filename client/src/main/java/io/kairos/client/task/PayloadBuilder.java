package io.kairos.client.task;

/**
 * A builder of something with a payload, at most 1 MB, which Kairos does not read.
 *
 * @param <B> class of the builder itself
 */
public interface PayloadBuilder<B> {
  B payload(byte[] payload);

  default B payload(String utf8) {
    return payload(utf8, PayloadCodec.utf8());
  }

  default <T> B payload(T payload, PayloadCodec<T> codec) {
    return payload(codec.encode(payload));
  }
}
