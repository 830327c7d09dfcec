package io.kairos.server.wiring;

import io.kairos.api.tls.CertificateFiles;
import io.kairos.api.tls.TlsMaterial;
import io.kairos.api.tls.UnusableTlsException;
import io.kairos.consensus.LogDirectory;
import io.kairos.consensus.RatisConfig;
import io.kairos.consensus.RatisLog;
import io.kairos.consensus.TlsFiles;
import io.kairos.consensus.WholeFile;
import io.kairos.edge.HttpEdge;
import io.kairos.edge.cron.CronCalls;
import io.kairos.edge.cron.ReplicaView;
import io.kairos.engine.audit.AuditConfig;
import io.kairos.engine.audit.AuditStore;
import io.kairos.engine.audit.AuditTrail;
import io.kairos.engine.cron.CronMachine;
import io.kairos.engine.cron.CronReplica;
import io.kairos.engine.cron.DivergenceSearch;
import io.kairos.engine.cron.RequestTrail;
import io.kairos.engine.cron.TicksGenerator;
import io.kairos.engine.cron.entry.EntryBook;
import io.kairos.engine.cron.schedule.ScheduleAsker;
import io.kairos.engine.loop.Step;
import io.kairos.engine.loop.StepActivity;
import io.kairos.engine.replica.PostedStep;
import io.kairos.engine.replica.ReplicasDivergedException;
import io.kairos.engine.replica.ReplicatedLog;
import io.kairos.engine.replica.ReplicatedLogProvider;
import io.kairos.engine.replica.ReplicatedLogProvider.SigningKeys;
import io.kairos.engine.replica.RequestSubmissions;
import io.kairos.engine.replica.StateMachine;
import io.kairos.node.LoopThreads;
import io.kairos.node.ParkedWakeup;
import io.kairos.push.DirectPush;
import io.kairos.push.PoolCredentials;
import io.kairos.push.PushConnections;
import io.kairos.server.effect.EdgeClients;
import io.kairos.server.effect.EntryEffects;
import io.kairos.server.effect.NodeCalls;
import io.kairos.server.effect.NodeSchedules;
import io.kairos.server.observe.AuditLines;
import io.kairos.server.observe.CronMetrics;
import io.kairos.server.observe.PeerGauges;
import io.kairos.server.observe.ReplicaGauges;
import io.kairos.server.observe.RoundWatch;
import io.kairos.server.replica.DivergenceMark;
import io.kairos.server.replica.KnownModules;
import io.kairos.server.replica.KnownTime;
import io.kairos.server.replica.LogAddOn;
import io.kairos.server.replica.ModuleJars;
import io.kairos.server.replica.PeerEdges;
import io.kairos.server.replica.ReplicaSigns;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A whole replica of a replicated cron, from its log to its HTTP edge. A replica whose state
 * differs from the others' stops executing and answering, reports where the difference began, marks
 * its directory so that it cannot start again from it, and ends with {@link ExitCode#BROKEN}.
 */
public final class RunningReplica extends ServingProcess {
  private static final Logger LOG = LoggerFactory.getLogger(RunningReplica.class);
  private static final Duration GAUGES_EVERY = Duration.ofSeconds(1);
  private static final Duration LONGEST_ROUND = Duration.ofMinutes(1);
  private static final Duration LOOPS_END_WITHIN = Duration.ofSeconds(2);

  private final ReplicaConfig config;
  private final DivergenceMark mark;
  private final InstantSource clock = InstantSource.system();
  private final RoundWatch turns = new RoundWatch(LONGEST_ROUND, monotonic);
  private final AuditTrail audit;
  private final ReplicaSigns signs;
  private final EdgeClients clients;
  private final PeerEdges peers;
  private final CronReplica replica;
  private final LogDesk desk;
  private final LoopThreads loops;
  private final HttpEdge edge;

  private RunningReplica(ReplicaConfig config) {
    this.config = config;
    Optional<SigningKeys> keys = signingKeys(config); // wrong ones must not claim a directory
    claimDirectory(config);
    this.mark =
        new DivergenceMark(config.dataDirectory(), WholeFile::write, config.beforeEmptyStart());
    mark.refusal()
        .ifPresent(why -> {
          throw new StartException(why);
        });
    this.desk = new LogDesk(config::facts);
    this.audit =
        new AuditTrail(
            AuditConfig.DEFAULT,
            new AuditTrail.Ports(
                AuditStore.NONE, monotonic, ParkedWakeup::new, new AuditLines(registry)));
    this.signs = new ReplicaSigns(BuildVersion.text(), turns, desk::facts, desk::obstacle, audit);
    boolean started = false;
    try {
      watchMachine();
      ReplicaGauges.watch(registry, () -> signs.obstacles().isEmpty());
      this.clients = opened.add("the clients of nodes", clients());
      this.peers =
          new PeerEdges(
              config.log().clusterName(),
              config.log().self(),
              config.edgeUrls(),
              config.edgeToken(),
              clients);
      CronMetrics metrics = new CronMetrics(registry, clock, config.time().limits());
      EntryBook book = book();
      this.replica = replica(book, metrics);
      this.edge =
          openEdge(
              config.http(),
              List.of(
                  new CronCalls(desk, config.http().maxPayloadBytes(), new SecureRandom(), clock)),
              this::died);
      ReplicatedLog log = opened.add("the log", openLog(keys));
      desk.open(new ReplicaView(replica.machine(), book, log));
      log.peerReport().ifPresent(first -> PeerGauges.watch(registry, first, desk::peerReport));
      CronReplica.Driven driven = replica.on(log);
      List<Step> steps = new ArrayList<>(driven.steps());
      schedules(log, book, metrics).ifPresent(asker -> steps.add(asker.step()));
      steps.add(gauges(log, book, driven.ticks()));
      steps.add(peers.step(signs::mismatches));
      clients.certificateStep().ifPresent(steps::add);
      List<StepActivity> activities = new ArrayList<>(steps.stream().map(this::activity).toList());
      activities.addAll(audit.activities());
      this.loops = new LoopThreads(activities, monotonic, this::died);
      loops.start();
      signs.runs();
      started = true;
    } finally {
      closeUnless(started);
    }
  }

  /**
   * Starts a replica and returns when it listens, which is before it knows a leader.
   *
   * @throws StartException when the environment prevents the start
   */
  public static RunningReplica start(ReplicaConfig config) {
    if (config.log().replicas().size() > 1 && config.edges().isEmpty()) {
      LOG.warn(
          "replica.edges is not set: should this replica's state differ from the others', it cannot"
              + " say at which entry that began");
    }
    return new RunningReplica(config);
  }

  private static Optional<SigningKeys> signingKeys(ReplicaConfig config) {
    try {
      return config.hashgraph().map(settings -> settings.read(config.log().self()));
    } catch (IllegalArgumentException e) {
      throw new StartException(e);
    }
  }

  /** Claims the directory for this replica, before anything is read or written there. */
  private static void claimDirectory(ReplicaConfig config) {
    try {
      switch (config.kind()) {
        case RATIS -> LogDirectory.claim(config.log());
        case HASHGRAPH -> LogDirectory.claimFor(config.kind().word(), config.log());
      }
    } catch (IllegalStateException e) { // the directory belongs to another replica
      throw new StartException("replica.data-dir: " + e.getMessage(), e);
    } catch (IOException e) {
      throw new StartException(
          "The directory %s (replica.data-dir) cannot be used: %s"
              .formatted(config.dataDirectory(), e),
          e);
    }
  }

  private EdgeClients clients() {
    try {
      return EdgeClients.of(config.callFiles(), clock);
    } catch (UnusableTlsException e) {
      throw new StartException(e);
    }
  }

  private EntryBook book() {
    try {
      EntryBook found =
          new EntryBook(opened.add("the modules", new ModuleJars(config.modules())).load());
      new KnownModules(config.dataDirectory(), WholeFile::write).check(found.modules());
      new KnownTime(config.dataDirectory(), WholeFile::write, config.beforeEmptyStart())
          .check(config.time());
      return found;
    } catch (IllegalArgumentException | UncheckedIOException e) {
      throw new StartException(e);
    } catch (ServiceConfigurationError | LinkageError e) {
      throw new StartException(
          "A module in replica.modules cannot be made: %s.".formatted(e.getMessage()), e);
    }
  }

  private CronReplica replica(EntryBook book, CronMetrics metrics) {
    CronMachine.Config shared =
        new CronMachine.Config(
            config.cluster(), config.time().isOn(), config.time().limits(), config.maxStateBytes());
    return CronReplica.of(
            shared, book, new CronReplica.Local(monotonic, clock, new SplittableRandom()))
        .actionBudget(config.actionBudget())
        .listeners(metrics, metrics)
        .effects(effects(metrics))
        .build();
  }

  private Optional<ScheduleAsker> schedules(
      ReplicatedLog log, EntryBook book, CronMetrics metrics) {
    return config
        .scheduleNode()
        .map(node ->
            new ScheduleAsker(
                log,
                replica.machine().clock(),
                book,
                new NodeSchedules(node, clients, metrics),
                monotonic,
                new SplittableRandom()));
  }

  private ReplicatedLog openLog(Optional<SigningKeys> keys) {
    StateMachine machine = turns.watch(replica.machine());
    try {
      return switch (config.kind()) {
        case RATIS -> RatisLog.open(config.log(), machine, this::broken);
        case HASHGRAPH -> openHashgraph(machine, keys.orElseThrow());
      };
    } catch (UncheckedIOException e) {
      throw new StartException(
          "The log cannot be opened: %s. It is in %s (replica.data-dir) and listens at %s (replica.peers)."
              .formatted(
                  e.getCause().getMessage(),
                  config.log().directory(),
                  config.log().replicas().get(config.log().self().number())),
          e);
    }
  }

  private ReplicatedLog openHashgraph(StateMachine machine, SigningKeys keys) {
    boolean hasForgotten = config.hashgraph().orElseThrow().hasForgotten();
    try {
      LogAddOn addOn =
          opened.add(
              "the add-on",
              LogAddOn.find(
                  config.kind().word(),
                  Optional.ofNullable(System.getProperty("kairos.home")).map(Path::of),
                  BuildVersion.text()));
      return addOn.open(opening(keys, hasForgotten), machine, this::broken);
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw new StartException(e);
    } catch (LinkageError e) {
      throw new StartException(
          "The add-on for replica.log: %s is not complete: %s. Unpack it again."
              .formatted(config.kind().word(), e),
          e);
    }
  }

  private ReplicatedLogProvider.Opening opening(SigningKeys keys, boolean hasForgotten) {
    RatisConfig log = config.log();
    return new ReplicatedLogProvider.Opening(
        log.clusterName(),
        log.self(),
        config.cluster(),
        log.replicas().stream()
            .map(each -> InetSocketAddress.createUnresolved(each.host(), each.port()))
            .toList(),
        log.directory().toUri(),
        tlsKeys(log.tls().orElseThrow()),
        keys,
        hasForgotten,
        log.execution(),
        new RequestSubmissions.Bounds(
            log.limits().maxPending(),
            log.limits().maxPendingOfClient(),
            log.limits().answerWithin()),
        new ReplicatedLogProvider.Surroundings(
            clock, monotonic, new SecureRandom())); // others see coins, and must not know the next
  }

  private ReplicatedLogProvider.TlsKeys tlsKeys(TlsFiles files) {
    TlsMaterial read =
        new CertificateFiles(
                Optional.of(
                    new CertificateFiles.Own(
                        new CertificateFiles.PemFile(TlsFiles.CHAIN, files.chain()),
                        new CertificateFiles.PemFile(TlsFiles.KEY, files.key()))),
                Optional.of(new CertificateFiles.PemFile(TlsFiles.TRUSTED, files.trusted())))
            .read(clock.instant());
    TlsMaterial.Pair own = read.own().orElseThrow();
    return new ReplicatedLogProvider.TlsKeys(own.key(), own.chain(), read.trusted());
  }

  private EntryEffects effects(CronMetrics metrics) {
    PushConnections caller =
        opened.add(
            "the caller",
            new PushConnections(
                config.push(),
                config.push().allowed(config.http().address()),
                PoolCredentials.none()));
    return new EntryEffects(
        config.log().clusterName(),
        new NodeCalls(config.node(), clients),
        new DirectPush(caller, clock),
        metrics);
  }

  private StepActivity activity(Step step) {
    return StepActivity.serving(turns.watch(step), new ParkedWakeup());
  }

  private Step gauges(ReplicatedLog log, EntryBook book, TicksGenerator ticks) {
    ReplicaGauges gauges =
        new ReplicaGauges(registry, config.time().isOn(), replica.budget()::count, ticks::dropped);
    return new PostedStep(
        "gauges",
        log,
        GAUGES_EVERY,
        () -> gauges.see(replica.machine(), book.waitingScheduleCount()));
  }

  /** Called on the log's thread, which executes nothing after this. */
  private void broken(Throwable why) {
    desk.close("this replica has stopped: " + why.getMessage());
    if (why instanceof ReplicasDivergedException diverged) {
      mark(diverged.getMessage()); // at once, in case the process is killed and started again
      List<RequestTrail.Step> trail = replica.machine().trail().steps(0);
      // A thread of its own, because asking the other replicas for their trails takes a while.
      Thread.ofPlatform().name("kairos-divergence").start(() -> explain(diverged, trail));
    } else {
      died(
          "at sequence %d%s: %s"
              .formatted(
                  replica.machine().trail().at(),
                  replica.budget().underWay().map(", in the action of "::concat).orElse(""),
                  why.getMessage()),
          why);
    }
  }

  private void explain(ReplicasDivergedException diverged, List<RequestTrail.Step> trail) {
    String explained = String.valueOf(diverged.getMessage());
    try {
      explained = DivergenceSearch.explain(diverged, trail, peers);
      mark(explained);
    } finally {
      died(explained, diverged);
    }
  }

  private void mark(@Nullable String why) {
    try {
      mark.write(String.valueOf(why));
    } catch (IOException e) { // such as a full disk; the reason is logged all the same
      LOG.atError().setCause(e).log("the directory could not be marked: remove it");
    }
  }

  private void died(String what, Throwable why) {
    if (!isStopping()) {
      var _ = breaks(what);
      desk.close("this replica has stopped: " + what);
      LOG.atError().addKeyValue("why", what).setCause(why).log("the replica is broken and ends");
    }
  }

  @Override
  ReplicaSigns signs() {
    return signs;
  }

  /** The port of the HTTP edge. */
  public int port() {
    return edge.port();
  }

  @Override
  public Map<String, Object> facts() {
    return Map.of("httpPort", port());
  }

  @Override
  void stopLoops(boolean isBroken) {
    desk.close("this replica is stopping");
    audit.close();
    List<String> left = loops.stop(LOOPS_END_WITHIN);
    if (!left.isEmpty()) {
      LOG.atWarn().addKeyValue("loops", left).log("some loops did not end in time");
    }
  }
}
