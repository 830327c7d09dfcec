package io.kairos.edge.cron;

import static io.kairos.edge.refusal.InvalidField.reading;
import static io.kairos.edge.refusal.InvalidField.require;

import io.grpc.stub.StreamObserver;
import io.kairos.api.v1.CallModuleRequest;
import io.kairos.api.v1.CallModuleResponse;
import io.kairos.api.v1.CronChange;
import io.kairos.api.v1.CronEntry;
import io.kairos.api.v1.CronServiceGrpc;
import io.kairos.api.v1.GetCronEntryRequest;
import io.kairos.api.v1.GetReplicaRequest;
import io.kairos.api.v1.GetTrailRequest;
import io.kairos.api.v1.GetTrailResponse;
import io.kairos.api.v1.ListCronEntriesRequest;
import io.kairos.api.v1.ListCronEntriesResponse;
import io.kairos.api.v1.ListCronFiresRequest;
import io.kairos.api.v1.ListCronFiresResponse;
import io.kairos.api.v1.ListCronTablesRequest;
import io.kairos.api.v1.ListCronTablesResponse;
import io.kairos.api.v1.PutCronEntryRequest;
import io.kairos.api.v1.PutCronTableRequest;
import io.kairos.api.v1.RemoveAllCronEntriesRequest;
import io.kairos.api.v1.RemoveAllCronEntriesResponse;
import io.kairos.api.v1.RemoveCronEntryRequest;
import io.kairos.api.v1.RemoveCronTableRequest;
import io.kairos.api.v1.Replica;
import io.kairos.domain.cron.ComponentId;
import io.kairos.edge.call.PayloadBytes;
import io.kairos.edge.cron.DeskCalls.Executed;
import io.kairos.edge.refusal.CallRefusals;
import io.kairos.edge.refusal.InvalidField;
import io.kairos.edge.refusal.Refusals;
import io.kairos.engine.cron.entry.BookCommand;
import io.kairos.engine.cron.entry.BookReply;
import io.kairos.engine.replica.ClientId;
import java.time.InstantSource;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Serves calls about a replicated cron. Called on the connections' threads, which only check the
 * request; the log's thread makes the answer. The log executes a request with a client id and a
 * number once; {@link CallClients} supplies both for calls without them.
 */
public final class CronCalls extends CronServiceGrpc.CronServiceImplBase {
  private static final long FIRST = 1;

  private final ReplicaDesk desk;
  private final DeskCalls calls;
  private final int maxPayloadBytes;
  private final CallClients clients;
  private final InstantSource clock;

  /**
   * Serves the calls of one replica.
   *
   * @param maxPayloadBytes largest body of a request to a module
   * @param chance source of client ids, which must not repeat: seeded anew in each process
   * @param clock the replica's own
   */
  public CronCalls(
      ReplicaDesk desk, int maxPayloadBytes, RandomGenerator chance, InstantSource clock) {
    this.desk = desk;
    this.calls = new DeskCalls(desk);
    this.maxPayloadBytes = maxPayloadBytes;
    this.clients = new CallClients(desk.facts().self(), chance);
    this.clock = clock;
  }

  @Override
  public void getReplica(GetReplicaRequest request, StreamObserver<Replica> caller) {
    calls.read(caller, replica -> ReplicaAnswers.replica(desk.facts(), replica, clock.instant()));
  }

  @Override
  public void getTrail(GetTrailRequest request, StreamObserver<GetTrailResponse> caller) {
    calls.read(
        caller,
        replica -> ReplicaAnswers.trail(replica.machine().trail().steps(request.getSince())));
  }

  @Override
  public void listCronTables(
      ListCronTablesRequest request, StreamObserver<ListCronTablesResponse> caller) {
    calls.read(caller, EntryAnswers::tables);
  }

  @Override
  public void listCronEntries(
      ListCronEntriesRequest request, StreamObserver<ListCronEntriesResponse> caller) {
    calls.read(caller, EntryPage.of(request)::read);
  }

  @Override
  public void getCronEntry(GetCronEntryRequest request, StreamObserver<CronEntry> caller) {
    ComponentId component = EntryRequests.component("component", request.getComponent());
    int position = EntryRequests.position("position", request.getPosition());
    calls.read(
        caller,
        replica ->
            replica
                .book()
                .find(component, position)
                .map(entry -> EntryAnswers.entry(entry, replica.failures(component)))
                .orElseThrow(
                    () -> CallRefusals.of(Refusals.notFound(noEntry(component, position)))));
  }

  @Override
  public void listCronFires(
      ListCronFiresRequest request, StreamObserver<ListCronFiresResponse> caller) {
    ComponentId component = EntryRequests.component("component", request.getComponent());
    int limit = EntryRequests.limit(request.getLimit());
    calls.read(
        caller,
        replica -> {
          replica.requireTable(component);
          return EntryAnswers.fires(replica.book().journal(component, limit));
        });
  }

  @Override
  public void putCronTable(PutCronTableRequest request, StreamObserver<CronChange> caller) {
    change(new BookCommand.PutTable(EntryRequests.table(request)), "", caller);
  }

  @Override
  public void removeCronTable(RemoveCronTableRequest request, StreamObserver<CronChange> caller) {
    ComponentId component = EntryRequests.component("component", request.getComponent());
    change(new BookCommand.RemoveTable(component), ReplicaView.noTable(component), caller);
  }

  @Override
  public void putCronEntry(PutCronEntryRequest request, StreamObserver<CronChange> caller) {
    BookCommand.PutEntry put = EntryRequests.put(request);
    require(
        desk.facts().hasTime() || !put.entry().needsTime(),
        "entry",
        "would never act, because replica.time is off: let it run a module, at each tick, by sequences or by a module");
    CronEntry entry = request.getEntry();
    String module =
        !entry.hasByModule() ? "entry.run.module" : entry.hasRun() ? "entry" : "entry.by_module";
    change(put, module + ": the replicas have no module of that name", caller);
  }

  @Override
  public void removeCronEntry(RemoveCronEntryRequest request, StreamObserver<CronChange> caller) {
    ComponentId component = EntryRequests.component("component", request.getComponent());
    int position = EntryRequests.position("position", request.getPosition());
    change(new BookCommand.RemoveEntry(component, position), noEntry(component, position), caller);
  }

  @Override
  public void removeAllCronEntries(
      RemoveAllCronEntriesRequest request, StreamObserver<RemoveAllCronEntriesResponse> caller) {
    ComponentId component = EntryRequests.component("component", request.getComponent());
    submit(
        new BookCommand.RemoveAll(component),
        caller,
        done -> {
          if (done.reply() instanceof BookReply.Removed(int count)) {
            return RemoveAllCronEntriesResponse.newBuilder()
                .setSequence(done.sequence())
                .setRemoved(count)
                .build();
          }
          throw refusal(done.reply(), ReplicaView.noTable(component));
        });
  }

  @Override
  public void callModule(CallModuleRequest request, StreamObserver<CallModuleResponse> caller) {
    require(
        request.getBody().size() <= maxPayloadBytes,
        "body",
        "must be at most %,d bytes".formatted(maxPayloadBytes));
    BookCommand command =
        reading(
            "module",
            () ->
                new BookCommand.ToModule(request.getModule(), PayloadBytes.in(request.getBody())));
    Function<Executed, CallModuleResponse> words =
        done -> {
          if (done.reply() instanceof BookReply.FromModule(byte[] reply)) {
            return CallModuleResponse.newBuilder()
                .setSequence(done.sequence())
                .setReply(PayloadBytes.out(reply))
                .build();
          }
          throw refusal(done.reply(), "module: the replicas have no module " + request.getModule());
        };
    if (!request.hasClient()) {
      require(request.getRequest() == 0, "request", "must not be given without client");
      submit(command, caller, words);
      return;
    }
    ClientId client = new ClientId(request.getClient());
    require(!client.isReserved(), "client", "must be a number from 0 on");
    require(request.getRequest() >= FIRST, "request", "must be a number from 1 on");
    calls.submit(client, request.getRequest(), command, caller, words);
  }

  /**
   * Submits a change.
   *
   * @param missing the refusal's text when the named table, entry or module does not exist
   */
  private void change(BookCommand command, String missing, StreamObserver<CronChange> caller) {
    submit(
        command,
        caller,
        done -> {
          if (done.reply() instanceof BookReply.Done || done.reply() instanceof BookReply.Removed) {
            return CronChange.newBuilder().setSequence(done.sequence()).build();
          }
          throw refusal(done.reply(), missing);
        });
  }

  private <A> void submit(
      BookCommand command, StreamObserver<A> caller, Function<Executed, A> words) {
    CallClients.Turn turn = clients.take();
    calls.submit(
        turn.client(),
        turn.request(),
        command,
        caller,
        done -> {
          clients.executed(turn);
          return words.apply(done);
        });
  }

  private static RuntimeException refusal(BookReply reply, String missing) {
    return switch (reply) {
      case BookReply.PositionInUse() ->
          CallRefusals.of(
              Refusals.exists("entry.position: is taken; the mode REPLACE replaces what is there"));
      case BookReply.NotFound(), BookReply.UnknownModule() ->
          CallRefusals.of(Refusals.notFound(missing));
      case BookReply.Invalid(String message) -> new InvalidField("entry", message);
      case BookReply.Full() ->
          CallRefusals.of(
              Refusals.full(
                  "the replicas have no room for it: there are as many tables or entries as may be, or as many bytes (a half of replica.max-state-bytes)"));
      case BookReply.Done _, BookReply.Removed _, BookReply.FromModule _ ->
          new IllegalStateException("another command is answered by " + reply);
    };
  }

  private static String noEntry(ComponentId component, int position) {
    return "position: there is no entry at position %d of %s".formatted(position, component);
  }
}
