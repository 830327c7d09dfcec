package io.kairos.engine.cron.schedule;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.cron.clock.AgreedClock;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.engine.cron.LogCommand;
import io.kairos.engine.cron.LogReply;
import io.kairos.engine.cron.entry.BookCommand;
import io.kairos.engine.cron.entry.BookCommand.ScheduleTime;
import io.kairos.engine.cron.entry.BookReply;
import io.kairos.engine.cron.entry.DecidedSchedule;
import io.kairos.engine.cron.entry.EntryBook;
import io.kairos.engine.loop.Step;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.OwnRequests;
import io.kairos.engine.replica.PostedStep;
import io.kairos.engine.replica.ReplicatedLog;
import io.kairos.engine.replica.SubmissionResult;
import io.kairos.engine.time.MonotonicClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a node to decide schedules whose entries have fired, and reports in the log when they are
 * due next. At intervals, it compares the entries with the node's list of schedules, and reports
 * new, changed and removed ones. Every replica runs an asker: for each schedule one replica asks at
 * once, and the next one a little later if the log does not yet show the decision. Repeated
 * requests and reports change nothing, because the node decides each fire time once, and an
 * outdated report leads to another request. So the asker's memory is not part of the replicated
 * state. Used on the log's thread; bounded by the entries.
 */
public final class ScheduleAsker {
  private static final Logger LOG = LoggerFactory.getLogger(ScheduleAsker.class);

  private static final Duration EVERY = Duration.ofMillis(50);
  private static final long LIST_EVERY_NANOS = Duration.ofSeconds(2).toNanos();

  /** Each replica waits this much longer than the one before it. */
  private static final long TURN_NANOS = Duration.ofMillis(300).toNanos();

  /** Wait before an undecided schedule is asked for again. */
  private static final long AGAIN_NANOS = Duration.ofSeconds(1).toNanos();

  /** Wait before a schedule is asked for again that was locked or decided in part. */
  private static final long SOON_NANOS = Duration.ofMillis(100).toNanos();

  /** Agreed time that has stood still for longer does not count as the present time. */
  private static final long PRESENT_NANOS = Duration.ofSeconds(10).toNanos();

  private final ReplicatedLog log;
  private final AgreedClock clock;
  private final EntryBook book;
  private final DecidingNode node;
  private final MonotonicClock monotonic;
  private final OwnRequests requests;

  /** Progress of the schedules whose next due time is not known. */
  private final TreeMap<ScheduleName, Course> courses = new TreeMap<>();

  /** Answers of the node that are not yet in the log. */
  private final TreeMap<ScheduleName, ReportedTime> told = new TreeMap<>();

  private final Present present = new Present();
  private boolean isFull;
  private boolean isAsking;
  private long askDueNanos;
  private boolean isListing;
  private long listDueNanos;

  /** Progress of this replica with a schedule that waits since a tick. */
  private static final class Course {
    private final long since;
    private long dueNanos;

    Course(long since, long dueNanos) {
      this.since = since;
      this.dueNanos = dueNanos;
    }
  }

  /**
   * An answer of the node.
   *
   * @param since number of executed requests at the time of the answer: any later change in the log
   *     is newer
   */
  private record ReportedTime(ScheduleTime time, long since) {}

  /**
   * A walk through the node's list.
   *
   * @param since number of executed requests when the walk began
   */
  private record Walk(long since, TreeMap<ScheduleName, ScheduleTime> listed) {}

  /**
   * Decides whether agreed time is the present time. A replica that has just started, or had lost
   * contact, first executes old requests with old times, by which the node would wrongly count fire
   * times as missed. So the replica submits a request of its own and waits for its execution, which
   * comes after everything that it has missed.
   */
  private final class Present {
    private boolean isLive;
    private boolean hasMoved;
    private @Nullable Instant last;
    private long movedNanos;

    /** Notes that a request of this replica was executed. */
    void live() {
      isLive = true;
    }

    /** The agreed time, if it has moved since then, and recently. */
    Optional<Instant> time() {
      if (!isLive || !(clock.now() instanceof AgreedTime.At(var now))) {
        return Optional.empty();
      }
      if (!now.equals(last)) {
        hasMoved = last != null;
        last = now;
        movedNanos = monotonic.nanos();
      } else if (monotonic.nanos() - movedNanos >= PRESENT_NANOS) {
        isLive = false;
        hasMoved = false;
        last = null;
      }
      return hasMoved ? Optional.of(now) : Optional.empty();
    }
  }

  /**
   * Creates an asker that does nothing before {@link #look}.
   *
   * @param clock of the machine that the log drives, like the book
   */
  public ScheduleAsker(
      ReplicatedLog log,
      AgreedClock clock,
      EntryBook book,
      DecidingNode node,
      MonotonicClock monotonic,
      RandomGenerator random) {
    this.log = log;
    this.clock = clock;
    this.book = book;
    this.node = node;
    this.monotonic = monotonic;
    this.requests = new OwnRequests(log, ClientId.ofSchedules(log.self()), random);
    this.listDueNanos = monotonic.nanos();
    this.askDueNanos = listDueNanos;
  }

  /** The step to run for as long as the log is open. */
  public Step step() {
    return new PostedStep("schedules", log, EVERY, this::look);
  }

  /** Sends requests to the node and reports to the log, where there is something to send. */
  public void look() {
    present.time().ifPresent(this::ask);
    if (!isListing && monotonic.nanos() - listDueNanos >= 0) {
      isListing = true;
      list(new Walk(log.sequence(), new TreeMap<>()), "");
    }
    say(); // also without agreed time, which begins with the first table
  }

  /** Sends one call at a time; schedules whose turn comes meanwhile go with the next call. */
  private void ask(Instant now) {
    if (isAsking || monotonic.nanos() - askDueNanos < 0) {
      return;
    }
    courses.keySet().removeIf(schedule -> !book.isWaiting(schedule));
    List<DecidedSchedule> due =
        book.waitingSchedules().stream()
            .filter(this::isDue)
            .limit(DecidingNode.MOST_DECIDED)
            .toList();
    if (!due.isEmpty()) {
      isAsking = true;
      node.decide(
          due.stream().map(DecidedSchedule::name).toList(),
          now,
          answer -> log.post(() -> decided(due, now, answer)));
    }
  }

  private boolean isDue(DecidedSchedule schedule) {
    long now = monotonic.nanos();
    long since = schedule.changedAt();
    Course course = courses.get(schedule.name());
    if (course == null || course.since != since) {
      int turn =
          Math.floorMod(
              log.self().number() - since - schedule.name().value().hashCode(),
              log.cluster().size());
      course = new Course(since, now + turn * TURN_NANOS);
      courses.put(schedule.name(), course);
    }
    return !told.containsKey(schedule.name()) && now - course.dueNanos >= 0;
  }

  private void decided(
      List<DecidedSchedule> asked, Instant upTo, Optional<List<ScheduleTime>> answer) {
    isAsking = false;
    if (answer.isEmpty()) {
      askDueNanos = monotonic.nanos() + AGAIN_NANOS;
      return;
    }
    TreeMap<ScheduleName, Long> since = new TreeMap<>();
    asked.forEach(schedule -> since.put(schedule.name(), schedule.changedAt()));
    for (ScheduleTime time : answer.get()) {
      long askedAt = since.getOrDefault(time.schedule(), 0L);
      Course course = courses.get(time.schedule());
      if (time.next() != null && !time.next().isAfter(upTo)) {
        if (course != null) {
          course.dueNanos = monotonic.nanos() + SOON_NANOS;
        }
      } else {
        told.put(time.schedule(), new ReportedTime(time, askedAt));
      }
    }
  }

  private void list(Walk walk, String token) {
    node.list(token, page -> log.post(() -> listed(walk, page)));
  }

  private void listed(Walk walk, Optional<DecidingNode.Page> page) {
    page.ifPresent(some -> {
      some.schedules().forEach(time -> walk.listed().put(time.schedule(), time));
      if (some.next().isEmpty()) {
        compare(walk);
      }
    });
    String next = page.map(DecidingNode.Page::next).orElse("");
    if (next.isEmpty()) {
      isListing = false;
      listDueNanos = monotonic.nanos() + LIST_EVERY_NANOS;
    } else {
      list(walk, next);
    }
  }

  private void compare(Walk walk) {
    List<ScheduleTime> missing = new ArrayList<>();
    List<ScheduleTime> changed = new ArrayList<>();
    for (ScheduleTime listed : walk.listed().values()) {
      DecidedSchedule known = book.schedule(listed.schedule()).orElse(null);
      if (known == null) {
        missing.add(listed);
      } else if (!known.isWaiting() && !Objects.equals(listed.next(), known.next())) {
        changed.add(listed);
      }
    }
    for (ScheduleName schedule : book.schedules()) {
      if (!walk.listed().containsKey(schedule)) {
        changed.add(new ScheduleTime(schedule, null));
      }
    }
    isFull &= !missing.isEmpty();
    // While there is no room, some are tried again with each walk.
    Stream.concat(
            changed.stream(),
            missing.stream().limit(isFull ? BookCommand.TellSchedules.MOST : Long.MAX_VALUE))
        .forEach(time -> told.put(time.schedule(), new ReportedTime(time, walk.since())));
  }

  /**
   * Submits one report at a time; the next report has the rest. A report may be empty: see {@link
   * Present}.
   */
  private void say() {
    told.values().removeIf(this::isVoid);
    if (requests.isPending() || (told.isEmpty() && present.isLive)) {
      return;
    }
    List<ReportedTime> said = told.values().stream().limit(BookCommand.TellSchedules.MOST).toList();
    requests.submit(
        new LogCommand.Request(
                new BookCommand.TellSchedules(said.stream().map(ReportedTime::time).toList())
                    .encode())
            .encode(),
        answer -> said(said, answer));
  }

  /** True if the log has this answer already, or a newer one. */
  private boolean isVoid(ReportedTime each) {
    Instant next = each.time().next();
    Optional<DecidedSchedule> known = book.schedule(each.time().schedule());
    if (known.isEmpty()) {
      return next == null;
    }
    return known.get().changedAt() > each.since()
        || (next != null && next.equals(known.get().next()));
  }

  /**
   * Repeats a report that was not executed. The next walk finds schedules for which there was no
   * room.
   */
  private void said(List<ReportedTime> said, SubmissionResult answer) {
    if (answer instanceof SubmissionResult.Done(_, var reply)) {
      present.live();
      said.forEach(each -> told.remove(each.time().schedule(), each));
      if (isFull(reply) && !isFull) {
        isFull = true;
        LOG.atError()
            .log("the tables have no room for more schedules: those without an entry do not fire");
      }
    }
  }

  private static boolean isFull(byte[] reply) {
    return LogReply.of(reply) == LogReply.EXECUTED
        && BookReply.decode(Arrays.copyOfRange(reply, 1, reply.length)) instanceof BookReply.Full;
  }
}
