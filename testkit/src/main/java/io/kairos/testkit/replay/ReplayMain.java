package io.kairos.testkit.replay;

import io.kairos.domain.cron.Callback;
import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.CronListener;
import io.kairos.domain.cron.clock.ClockLimits;
import io.kairos.engine.cron.CronMachine;
import io.kairos.engine.cron.CronReply;
import io.kairos.engine.cron.TickListener;
import io.kairos.engine.cron.Trail;
import io.kairos.engine.cron.entry.BookReply;
import io.kairos.engine.cron.entry.EntryBook;
import io.kairos.engine.cron.module.CronModule;
import io.kairos.engine.replica.OrderedExecution;
import io.kairos.engine.replica.Submitted;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;

/**
 * Executes a log that lies in the folder above, as one replica, and writes what was done in each
 * place of it. The arguments are two sequence numbers. For what is behind the first up to the
 * second it installs the snapshot that lies in the folder above; if they are the same it makes that
 * snapshot there.
 */
public final class ReplayMain {
  static final String LOG = "log";
  static final String MARKS = "marks";

  /** What it says last before the stack trace with which it ends. */
  static final String PLACE = "This was at sequence ";

  private static final String SNAPSHOT = "snapshot";
  private static final int DIGEST_EVERY = 100;

  private final List<Mark> marks = new ArrayList<>();
  private final CronMachine machine;
  private final OrderedExecution execution;
  private long sequence;

  private ReplayMain(List<CronModule> modules) {
    machine =
        new CronMachine(
            new CronMachine.Config(
                LogMaker.CLUSTER,
                true,
                ClockLimits.PUBLISHED,
                CronMachine.Config.DEFAULT_MAX_PAGES),
            new EntryBook(modules),
            new CronListener() {
              @Override
              public void failed(
                  ComponentId component, int position, Callback callback, Throwable thrown) {
                note(position, Mark.Kind.THREW, thrown.getClass().getName().hashCode());
              }
            },
            TickListener.NONE);
    execution = new OrderedExecution(machine, OrderedExecution.Config.DEFAULT, LogMaker.CLUSTER);
  }

  public static void main(String[] arguments) throws IOException {
    int missedAfter = Integer.parseInt(arguments[0]);
    int missedUntil = Integer.parseInt(arguments[1]);
    Path above = Path.of("..");
    Path snapshot = above.resolve(SNAPSHOT);
    List<ReplayLine> log = ReplayLine.readAll(above.resolve(LOG));
    List<CronModule> modules = new ArrayList<>();
    ServiceLoader.load(CronModule.class).forEach(modules::add);
    ReplayMain replica = new ReplayMain(modules);
    replica.execute(log.subList(0, missedAfter));
    if (missedAfter == missedUntil) {
      Files.write(snapshot, replica.execution.snapshot());
    } else {
      replica.execution.restore(Files.readAllBytes(snapshot));
    }
    replica.execute(log.subList(missedUntil, log.size()));
    try (DataOutputStream to =
        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(Path.of(MARKS))))) {
      for (Mark mark : replica.marks) {
        mark.write(to);
      }
    }
  }

  private void execute(List<ReplayLine> log) {
    for (ReplayLine line : log) {
      sequence = execution.sequence() + 1;
      boolean executed = false;
      try {
        execute(line);
        executed = true;
      } finally {
        if (!executed) {
          System.err.println(PLACE + sequence + ", " + line.what());
        }
      }
    }
  }

  private void execute(ReplayLine line) {
    int before = marks.size();
    Submitted answer = execution.execute(line.origin(sequence), line.command());
    if (!(answer instanceof Submitted.Done(_, byte[] reply))) {
      throw new IllegalStateException("a log has each request once, unlike " + answer);
    }
    for (Trail.Step step : machine.trail().steps(sequence - 1)) {
      note(
          step.place() instanceof Trail.Place.Entry(_, int position) ? position : Mark.NO_ENTRY,
          Mark.Kind.WROTE,
          step.writes());
    }
    if (CronReply.of(reply) == CronReply.FAILED) {
      note(Mark.NO_ENTRY, Mark.Kind.THREW, 0);
    }
    note(Mark.NO_ENTRY, Mark.Kind.REPLIED, Arrays.hashCode(reply));
    if (sequence % DIGEST_EVERY == 0) {
      note(Mark.NO_ENTRY, Mark.Kind.STATE, ByteBuffer.wrap(execution.digest()).getLong());
    }
    marks.subList(before, marks.size()).sort(Mark.BY_PLACE);
    if (line.client().equals(LogMaker.SETUP)) {
      checkDone(reply);
    }
  }

  private void note(int position, Mark.Kind kind, long hash) {
    marks.add(new Mark(sequence, position, kind, hash));
  }

  private static void checkDone(byte[] reply) {
    BookReply answer = BookReply.decode(Arrays.copyOfRange(reply, 1, reply.length));
    switch (answer) {
      case BookReply.Done _, BookReply.Removed _, BookReply.FromModule _ -> {}
      case BookReply.Taken _,
          BookReply.NotFound _,
          BookReply.UnknownModule _,
          BookReply.Invalid _,
          BookReply.Full _ ->
          throw new IllegalStateException("it was answered by " + answer);
    }
  }
}
