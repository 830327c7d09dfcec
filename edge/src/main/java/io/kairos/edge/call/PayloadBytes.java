package io.kairos.edge.call;

import com.google.protobuf.ByteOutput;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Passes payloads between protobuf messages and the engine, without a copy where both can share the
 * array. Payloads must never be changed.
 */
public final class PayloadBytes {
  private PayloadBytes() {}

  public static ByteString out(byte[] payload) {
    return UnsafeByteOperations.unsafeWrap(payload);
  }

  public static byte[] in(ByteString payload) {
    Whole whole = new Whole();
    try {
      UnsafeByteOperations.unsafeWriteTo(payload, whole);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    byte[] shared = whole.array;
    return shared != null && shared.length == payload.size() ? shared : payload.toByteArray();
  }

  /** Keeps an array that contains the payload and nothing else. */
  private static final class Whole extends ByteOutput {
    private byte @Nullable [] array;

    @Override
    public void writeLazy(byte[] value, int offset, int length) {
      array = length == value.length ? value : null;
    }

    @Override
    public void write(byte value) {}

    @Override
    public void write(byte[] value, int offset, int length) {}

    @Override
    public void write(ByteBuffer value) {}

    @Override
    public void writeLazy(ByteBuffer value) {}
  }
}
