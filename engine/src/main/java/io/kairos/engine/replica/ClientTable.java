package io.kairos.engine.replica;

import static io.kairos.domain.check.ArgumentCheck.require;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The last request of each client with its reply, so that no request is executed twice. Part of the
 * replicated state. Bounded: beyond the bound the client whose last request is the oldest is
 * removed, equally on every replica; a request that this client submits again is then executed
 * again.
 */
final class ClientTable {
  private static final int ROW_BYTES = 3 * Long.BYTES + Integer.BYTES;

  private final int maxClients;
  private final TreeMap<ClientId, Row> rows = new TreeMap<>();
  private final TreeMap<Long, ClientId> bySequence = new TreeMap<>();

  /** A client's last request. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Row(long request, long sequence, byte[] reply) {}

  ClientTable(int maxClients) {
    require(maxClients >= 1, "no client can be known of ", maxClients);
    this.maxClients = maxClients;
  }

  Optional<Row> find(ClientId client) {
    return Optional.ofNullable(rows.get(client));
  }

  void executed(ClientId client, Row row) {
    Row before = rows.put(client, row);
    if (before != null) {
      bySequence.remove(before.sequence());
    }
    bySequence.put(row.sequence(), client);
    if (rows.size() > maxClients) {
      rows.remove(bySequence.remove(bySequence.firstKey()));
    }
  }

  int encodedBytes() {
    int size = Integer.BYTES;
    for (Row row : rows.values()) {
      size = Math.addExact(size, ROW_BYTES + row.reply().length);
    }
    return size;
  }

  void encode(ByteBuffer to) {
    to.putInt(rows.size());
    for (Map.Entry<ClientId, Row> entry : rows.entrySet()) {
      Row row = entry.getValue();
      to.putLong(entry.getKey().value()).putLong(row.request()).putLong(row.sequence());
      to.putInt(row.reply().length).put(row.reply());
    }
  }

  void decode(ByteBuffer from) {
    rows.clear();
    bySequence.clear();
    int clients = from.getInt();
    for (int i = 0; i < clients; i++) {
      ClientId client = new ClientId(from.getLong());
      long request = from.getLong();
      long sequence = from.getLong();
      byte[] reply = new byte[from.getInt()];
      from.get(reply);
      executed(client, new Row(request, sequence, reply));
    }
  }
}
