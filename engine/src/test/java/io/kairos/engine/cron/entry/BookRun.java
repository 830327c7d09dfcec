package io.kairos.engine.cron.entry;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.CronListener;
import io.kairos.domain.cron.clock.ClockLimits;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.cron.CronMachine;
import io.kairos.engine.cron.LogCommand;
import io.kairos.engine.cron.LogReply;
import io.kairos.engine.cron.TickListener;
import io.kairos.engine.cron.module.CronModule;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.OrderedRequest;
import io.kairos.engine.replica.RequestOrigin;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A cluster of one replica with an entry book, to which requests are given one by one. */
final class BookRun {
  static final ComponentId OURS = new ComponentId(7);
  private static final ReplicaId SELF = new ReplicaId(0);

  final EntryBook book;
  final CronMachine machine;
  long sequence;

  BookRun(long maxBytes, boolean time, CronModule... modules) {
    book = new EntryBook(List.of(modules));
    machine =
        new CronMachine(
            new CronMachine.Config(
                new ReplicaGroup(1, ReplicaGroup.Faults.CRASH),
                time,
                ClockLimits.PUBLISHED,
                maxBytes),
            book,
            CronListener.NONE,
            TickListener.NONE);
  }

  BookRun(CronModule... modules) {
    this(1 << 23, true, modules);
  }

  /** The reply of the machine. */
  byte[] request(byte[] body) {
    return execute(new ClientId(3), null, new LogCommand.Request(body).encode());
  }

  BookReply submit(BookCommand command) {
    byte[] reply = request(command.encode());
    assertThat(LogReply.of(reply)).isEqualTo(LogReply.EXECUTED);
    return BookReply.decode(Arrays.copyOfRange(reply, 1, reply.length));
  }

  BookReply put(EntryDefinition entry) {
    return submit(new BookCommand.PutEntry(entry, BookCommand.Mode.CREATE));
  }

  BookReply replace(EntryDefinition entry) {
    return submit(new BookCommand.PutEntry(entry, BookCommand.Mode.REPLACE));
  }

  /** An entry of ours. */
  static EntryDefinition entry(int position, EntryTiming when, EntryWork work) {
    return new EntryDefinition(OURS, position, "", when, work);
  }

  LogReply tick(long millis) {
    return tick(OURS, millis);
  }

  LogReply tick(ComponentId component, long millis) {
    byte[] tick =
        new LogCommand.Tick(component, machine.rounds().round(component) + 1, millis).encode();
    return LogReply.of(execute(ClientId.ofTicks(SELF, component), SELF, tick));
  }

  private byte[] execute(ClientId client, @Nullable ReplicaId replica, byte[] command) {
    sequence++;
    return machine.execute(
        new OrderedRequest(
            sequence, new RequestOrigin(client, sequence, replica), AgreedTime.OFF, command));
  }

  /** The fires of ours, the first one first: tick, position and time. */
  List<String> fires() {
    return book.journal(OURS, 1_000).reversed().stream().map(BookRun::say).toList();
  }

  private static String say(EntryFire fired) {
    return fired.sequence()
        + ": "
        + fired.position()
        + switch (fired.at()) {
          case AgreedTime.Off _ -> "";
          case AgreedTime.At at -> " at " + at.epochMillis();
        };
  }

  /** All that can be read of the book, comparable. */
  List<String> sight() {
    List<String> lines = new ArrayList<>();
    for (TableSettings table : book.tables()) {
      ComponentId component = table.component();
      lines.add(table + ": " + machine.tables().table(component).count() + " entries");
      for (EntryState each : book.entries(component, -1, 1_000)) {
        lines.add(
            HexFormat.of().formatHex(EntryCodec.encode(each.entry()))
                + " fires %d, last %s, next %s".formatted(each.fires(), each.last(), each.next()));
      }
      book.journal(component, 1_000).forEach(fired -> lines.add(fired.toString()));
      machine.tables().table(component).failures().forEach(each -> lines.add(each.toString()));
    }
    lines.add("tables " + machine.tables().components());
    machine.outbox().waiting().forEach(waiting -> lines.add(waiting.id().toString()));
    return lines;
  }
}
