package io.kairos.push;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A DNS server that gives a name other addresses each time it is asked. */
final class RebindingDns implements AutoCloseable {
  private static final int HEADER = 12;
  private static final int TYPE_A = 1;
  private static final int POINTER_TO_NAME = 0xc00c;
  private static final int ANSWER = 0x8180;

  private final DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());

  /** How often for IPv4 addresses. */
  private final AtomicInteger asked = new AtomicInteger();

  private final List<List<String>> answers;
  private final Duration ttl;

  /**
   * @param answers addresses, one after the other; the last for ever
   * @param ttl for which they may be kept
   */
  RebindingDns(List<List<String>> answers, Duration ttl) throws IOException {
    this.answers = answers;
    this.ttl = ttl;
    Thread.ofVirtual().start(this::serve);
  }

  InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), socket.getLocalPort());
  }

  private void serve() {
    byte[] buffer = new byte[512];
    while (!socket.isClosed()) {
      try {
        DatagramPacket question = new DatagramPacket(buffer, buffer.length);
        socket.receive(question);
        byte[] answer = answer(buffer, question.getLength());
        socket.send(new DatagramPacket(answer, answer.length, question.getSocketAddress()));
      } catch (IOException e) {
        if (!socket.isClosed()) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  private byte[] answer(byte[] asks, int length) throws IOException {
    ByteBuffer question = ByteBuffer.wrap(asks, 0, length);
    int end = HEADER;
    while (question.get(end) != 0) {
      end += question.get(end) + 1;
    }
    end++; // the root
    int type = question.getShort(end);
    List<String> addresses = List.of();
    if (type == TYPE_A) {
      addresses = answers.get(Math.min(asked.getAndIncrement(), answers.size() - 1));
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(
        ByteBuffer.allocate(HEADER)
            .putShort(question.getShort(0))
            .putShort((short) ANSWER)
            .putShort((short) 1)
            .putShort((short) addresses.size())
            .putInt(0)
            .array());
    out.write(asks, HEADER, end + 4 - HEADER);
    for (String address : addresses) {
      out.write(
          ByteBuffer.allocate(16)
              .putShort((short) POINTER_TO_NAME)
              .putShort((short) TYPE_A)
              .putShort((short) 1)
              .putInt((int) ttl.toSeconds())
              .putShort((short) 4)
              .put(InetAddress.ofLiteral(address).getAddress())
              .array());
    }
    return out.toByteArray();
  }

  @Override
  public void close() {
    socket.close();
  }
}
