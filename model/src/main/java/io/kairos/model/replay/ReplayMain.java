package io.kairos.model.replay;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.CronListener;
import io.kairos.domain.cron.EntryCallback;
import io.kairos.domain.cron.clock.ClockLimits;
import io.kairos.engine.cron.CronMachine;
import io.kairos.engine.cron.LogReply;
import io.kairos.engine.cron.RequestTrail;
import io.kairos.engine.cron.TickListener;
import io.kairos.engine.cron.entry.BookReply;
import io.kairos.engine.cron.entry.EntryBook;
import io.kairos.engine.cron.module.CronModule;
import io.kairos.engine.replica.OrderedExecution;
import io.kairos.engine.replica.SubmissionResult;
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
 * Executes the log in the parent folder as one replica, and writes a trace of every request. The
 * arguments are two sequence numbers. The replica skips the requests after the first number up to
 * the second, and installs the snapshot in the parent folder instead; if both numbers are equal, it
 * makes that snapshot.
 */
public final class ReplayMain {
  static final String LOG = "log";
  static final String MARKS = "marks";

  /** Start of the last line before the stack trace of a failed replay. */
  static final String PLACE = "This was at sequence ";

  private static final String SNAPSHOT = "snapshot";
  private static final int DIGEST_EVERY = 100;

  private final List<ReplayTracePoint> marks = new ArrayList<>();
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
                CronMachine.Config.DEFAULT_MAX_BYTES),
            new EntryBook(modules),
            new CronListener() {
              @Override
              public void failed(
                  ComponentId component, int position, EntryCallback callback, Throwable thrown) {
                note(position, ReplayTracePoint.Kind.THREW, thrown.getClass().getName().hashCode());
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
      for (ReplayTracePoint mark : replica.marks) {
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
    SubmissionResult answer = execution.execute(line.origin(sequence), line.command());
    if (!(answer instanceof SubmissionResult.Done(_, byte[] reply))) {
      throw new IllegalStateException("a log has each request once, unlike " + answer);
    }
    for (RequestTrail.Step step : machine.trail().steps(sequence - 1)) {
      note(
          step.place() instanceof RequestTrail.WriteSource.Entry(_, int position)
              ? position
              : ReplayTracePoint.NO_ENTRY,
          ReplayTracePoint.Kind.WROTE,
          step.writes());
    }
    if (LogReply.of(reply) == LogReply.FAILED) {
      note(ReplayTracePoint.NO_ENTRY, ReplayTracePoint.Kind.THREW, 0);
    }
    note(ReplayTracePoint.NO_ENTRY, ReplayTracePoint.Kind.REPLIED, Arrays.hashCode(reply));
    if (sequence % DIGEST_EVERY == 0) {
      note(
          ReplayTracePoint.NO_ENTRY,
          ReplayTracePoint.Kind.STATE,
          ByteBuffer.wrap(execution.digest()).getLong());
    }
    marks.subList(before, marks.size()).sort(ReplayTracePoint.BY_PLACE);
    if (line.client().equals(LogMaker.SETUP)) {
      checkDone(reply);
    }
  }

  private void note(int position, ReplayTracePoint.Kind kind, long hash) {
    marks.add(new ReplayTracePoint(sequence, position, kind, hash));
  }

  private static void checkDone(byte[] reply) {
    BookReply answer = BookReply.decode(Arrays.copyOfRange(reply, 1, reply.length));
    switch (answer) {
      case BookReply.Done _, BookReply.Removed _, BookReply.FromModule _ -> {}
      case BookReply.PositionInUse _,
          BookReply.NotFound _,
          BookReply.UnknownModule _,
          BookReply.Invalid _,
          BookReply.Full _ ->
          throw new IllegalStateException("it was answered by " + answer);
    }
  }
}
