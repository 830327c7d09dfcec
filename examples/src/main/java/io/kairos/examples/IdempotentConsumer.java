package io.kairos.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.sql.Connection;
import java.sql.SQLException;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Makes the effect of a message happen once although it may be delivered twice: the id is stored in
 * the transaction of the effect. The route must have {@code relay-id: true}; ids must not be used
 * for a second message.
 */
public final class IdempotentConsumer {
  /** What a message does to the application's own database, on the given connection. */
  public interface Effect {
    void apply(Connection database, ConsumerRecord<String, String> message) throws SQLException;
  }

  private IdempotentConsumer() {}

  /**
   * Returns false when the message was a repeat. The database has {@code create table handled (id
   * text primary key)}.
   */
  public static boolean handle(
      Connection database, ConsumerRecord<String, String> message, Effect effect)
      throws SQLException {
    String id = new String(message.headers().lastHeader("kairos-id").value(), UTF_8);
    database.setAutoCommit(false);
    boolean committed = false;
    try (var insert =
        database.prepareStatement("insert into handled (id) values (?) on conflict do nothing")) {
      insert.setString(1, id);
      boolean first = insert.executeUpdate() == 1;
      if (first) {
        effect.apply(database, message);
      }
      database.commit();
      committed = true;
      return first;
    } finally {
      if (!committed) {
        database.rollback(); // also the id, whatever the effect has thrown
      }
    }
  }
}
