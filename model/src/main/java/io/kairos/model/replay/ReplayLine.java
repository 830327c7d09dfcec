package io.kairos.model.replay;

import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.RequestOrigin;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request of the log. Its number is also its client's request number.
 *
 * @param replica the sending replica; null for a client
 * @param what a description, for people
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ReplayLine(ClientId client, @Nullable ReplicaId replica, byte[] command, String what) {
  private static final int NO_REPLICA = -1;

  RequestOrigin origin(long sequence) {
    return new RequestOrigin(client, sequence, replica);
  }

  static void writeAll(List<ReplayLine> log, Path file) {
    try (DataOutputStream to = new DataOutputStream(Files.newOutputStream(file))) {
      to.writeInt(log.size());
      for (ReplayLine line : log) {
        ReplicaId replica = line.replica;
        to.writeLong(line.client.value());
        to.writeInt(replica == null ? NO_REPLICA : replica.number());
        to.writeInt(line.command.length);
        to.write(line.command);
        to.writeUTF(line.what);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<ReplayLine> readAll(Path file) throws IOException {
    try (DataInputStream from = new DataInputStream(Files.newInputStream(file))) {
      int size = from.readInt();
      List<ReplayLine> log = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        ClientId client = new ClientId(from.readLong());
        int replica = from.readInt();
        byte[] command = from.readNBytes(from.readInt());
        log.add(
            new ReplayLine(
                client,
                replica == NO_REPLICA ? null : new ReplicaId(replica),
                command,
                from.readUTF()));
      }
      return log;
    }
  }
}
