package io.kairos.engine.cron.schedule;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.cron.clock.AgreedClock;
import io.kairos.domain.schedule.fire.ScheduleName;
import io.kairos.engine.cron.CronCommands;
import io.kairos.engine.cron.CronReply;
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
import io.kairos.engine.replica.Submitted;
import io.kairos.engine.time.Monotonic;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has schedules decided at a node when their entries have fired, and says in the log when they are
 * due next; looks at the node's list every so often for those that were added, changed and taken
 * away. All replicas do so: of each schedule one asks at once, and the others a little later, if by
 * then the log does not say that it was decided. What is asked or said twice changes nothing: the
 * node decides each fire time once, and who was told something old asks again. So nothing that is
 * kept here is part of the state. On the log's thread; bounded by the entries.
 */
public final class ScheduleAsker {
  private static final Logger LOG = LoggerFactory.getLogger(ScheduleAsker.class);

  private static final Duration EVERY = Duration.ofMillis(50);
  private static final long LIST_EVERY_NANOS = Duration.ofSeconds(2).toNanos();

  /** Each replica waits so much longer than the one before it. */
  private static final long TURN_NANOS = Duration.ofMillis(300).toNanos();

  /** What was not decided is asked for again. */
  private static final long AGAIN_NANOS = Duration.ofSeconds(1).toNanos();

  private final ReplicatedLog log;
  private final AgreedClock clock;
  private final EntryBook book;
  private final ScheduleNode node;
  private final Monotonic monotonic;
  private final OwnRequests requests;

  /** Of the schedules that wait to be told when they are due next. */
  private final TreeMap<ScheduleName, Course> courses = new TreeMap<>();

  /** What is to be said. */
  private final TreeMap<ScheduleName, ScheduleTime> told = new TreeMap<>();

  private boolean isFull;
  private boolean isAsking;
  private boolean isListing;
  private long listDueNanos;

  /** How far this replica is with a schedule that waits since a tick. */
  private static final class Course {
    private final long since;
    private long dueNanos;

    Course(long since, long dueNanos) {
      this.since = since;
      this.dueNanos = dueNanos;
    }
  }

  /** A walk through the list of the node, which began when so many requests had been executed. */
  private record Walk(long since, TreeMap<ScheduleName, ScheduleTime> listed) {}

  /**
   * Asks for nothing until it is told to look.
   *
   * @param clock of the machine that the log drives, as is the book
   */
  public ScheduleAsker(
      ReplicatedLog log,
      AgreedClock clock,
      EntryBook book,
      ScheduleNode node,
      Monotonic monotonic,
      RandomGenerator random) {
    this.log = log;
    this.clock = clock;
    this.book = book;
    this.node = node;
    this.monotonic = monotonic;
    this.requests = new OwnRequests(log, ClientId.ofSchedules(log.self()), random);
    this.listDueNanos = monotonic.nanos();
  }

  /** To be run for as long as the log is open. */
  public Step step() {
    return new PostedStep("schedules", log, EVERY, this::look);
  }

  /** Asks and says what there is to ask and to say. */
  public void look() {
    if (clock.now() instanceof AgreedTime.At(var now)) {
      ask(now);
    }
    if (!isListing && monotonic.nanos() - listDueNanos >= 0) {
      isListing = true;
      list(new Walk(log.sequence(), new TreeMap<>()), "");
    }
    say(); // also without agreed time, which begins with the first table
  }

  /** One call at a time: those whose turn comes meanwhile go with the next. */
  private void ask(Instant now) {
    List<ScheduleName> waiting = book.waitingSchedules();
    courses.keySet().retainAll(waiting);
    if (isAsking) {
      return;
    }
    List<ScheduleName> due =
        waiting.stream().filter(this::isDue).limit(ScheduleNode.MOST_DECIDED).toList();
    if (!due.isEmpty()) {
      isAsking = true;
      node.decide(due, now, answer -> log.post(() -> decided(due, answer)));
    }
  }

  private boolean isDue(ScheduleName schedule) {
    long now = monotonic.nanos();
    long since = book.schedule(schedule).map(DecidedSchedule::changedAt).orElse(0L);
    Course course = courses.get(schedule);
    if (course == null || course.since != since) {
      long turn =
          Math.floorMod(
              log.self().number() - since - schedule.value().hashCode(), log.cluster().size());
      course = new Course(since, now + turn * TURN_NANOS);
      courses.put(schedule, course);
    }
    return !told.containsKey(schedule) && now - course.dueNanos >= 0;
  }

  private void decided(List<ScheduleName> asked, Optional<List<ScheduleTime>> answer) {
    isAsking = false;
    long again = monotonic.nanos() + AGAIN_NANOS;
    for (ScheduleName schedule : asked) {
      Course course = courses.get(schedule);
      if (course != null) {
        course.dueNanos = again;
      }
    }
    answer.ifPresent(times -> times.forEach(time -> told.put(time.schedule(), time)));
  }

  private void list(Walk walk, String token) {
    node.list(token, page -> log.post(() -> listed(walk, page)));
  }

  private void listed(Walk walk, Optional<ScheduleNode.Page> page) {
    page.ifPresent(some -> {
      some.schedules().forEach(time -> walk.listed().put(time.schedule(), time));
      if (some.next().isEmpty()) {
        compare(walk);
      }
    });
    String next = page.map(ScheduleNode.Page::next).orElse("");
    if (next.isEmpty()) {
      isListing = false;
      listDueNanos = monotonic.nanos() + LIST_EVERY_NANOS;
    } else {
      list(walk, next);
    }
  }

  /** What has fired or was told since the walk began is known better than by it. */
  private void compare(Walk walk) {
    List<ScheduleTime> differences = new ArrayList<>();
    for (ScheduleTime listed : walk.listed().values()) {
      DecidedSchedule known = book.schedule(listed.schedule()).orElse(null);
      if (known == null || !(known.isWaiting() || Objects.equals(listed.next(), known.next()))) {
        differences.add(listed);
      }
    }
    for (ScheduleName schedule : book.schedules()) {
      if (!walk.listed().containsKey(schedule)) {
        differences.add(new ScheduleTime(schedule, null));
      }
    }
    for (ScheduleTime difference : differences) {
      long changedAt =
          book.schedule(difference.schedule()).map(DecidedSchedule::changedAt).orElse(0L);
      if (changedAt <= walk.since()) {
        told.putIfAbsent(difference.schedule(), difference);
      }
    }
  }

  /** One request at a time; the rest is said by the next. */
  private void say() {
    told.values().removeIf(this::isKnown);
    if (requests.isPending() || told.isEmpty()) {
      return;
    }
    List<ScheduleTime> said = told.values().stream().limit(BookCommand.TellSchedules.MOST).toList();
    requests.submit(
        CronCommands.request(new BookCommand.TellSchedules(said).encode()),
        answer -> said(said, answer));
  }

  private boolean isKnown(ScheduleTime time) {
    Optional<DecidedSchedule> known = book.schedule(time.schedule());
    return time.next() == null
        ? known.isEmpty()
        : known.filter(each -> Objects.equals(time.next(), each.next())).isPresent();
  }

  /** What was not executed is said again; what found no room is found missing by the next walk. */
  private void said(List<ScheduleTime> said, Submitted answer) {
    if (answer instanceof Submitted.Done(_, var reply)) {
      said.forEach(time -> told.remove(time.schedule(), time));
      boolean full = isFull(reply);
      if (full && !isFull) {
        LOG.atError()
            .addKeyValue("entries", EntryBook.MOST_ENTRIES)
            .log("the tables have no room for more schedules: those without an entry do not fire");
      }
      isFull = full;
    }
  }

  private static boolean isFull(byte[] reply) {
    return CronReply.of(reply) == CronReply.EXECUTED
        && BookReply.decode(Arrays.copyOfRange(reply, 1, reply.length)) instanceof BookReply.Full;
  }
}
