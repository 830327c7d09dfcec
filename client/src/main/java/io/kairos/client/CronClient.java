package io.kairos.client;

import com.google.protobuf.ByteString;
import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.CallModuleRequest;
import io.kairos.api.v1.CallModuleResponse;
import io.kairos.api.v1.CronChange;
import io.kairos.api.v1.GetCronEntryRequest;
import io.kairos.api.v1.GetReplicaRequest;
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
import io.kairos.client.PagedList.Page;
import io.kairos.client.error.NodesUnavailableException;
import io.kairos.client.error.TaskConflictException;
import io.kairos.client.error.TaskNotFoundException;
import java.time.Duration;
import java.util.List;

/**
 * Client of a replicated cron; its tables, entries and fires. It shares connections, token and
 * retries with a {@link KairosClient} whose addresses are those of replicas, and is closed with it.
 * Any replica can be called: reads show the state of that replica, and changes reach all of them.
 * Changes return their sequence number in the log. When the answer to a change that is not
 * idempotent is lost, the call is not repeated: see {@link
 * NodesUnavailableException#mayHaveTakenEffect}. Thread-safe.
 */
public final class CronClient {
  private final KairosClient client;

  CronClient(KairosClient client) {
    this.client = client;
  }

  /** Returns the replica that answers, and the others as it knows them. */
  public CronReplica replica() {
    return new CronReplica(client.call(Replica.class, GetReplicaRequest.getDefaultInstance()));
  }

  /** Returns all tables by component. */
  public List<CronTable> tables() {
    return client
        .call(ListCronTablesResponse.class, ListCronTablesRequest.getDefaultInstance())
        .getTablesList()
        .stream()
        .map(CronTable::new)
        .toList();
  }

  /**
   * Sets how often a table is evaluated.
   *
   * @param tick interval in whole milliseconds, up to 24 hours; zero for never
   * @return sequence number of the change in the log
   */
  public long putTable(long component, Duration tick) {
    PutCronTableRequest request =
        PutCronTableRequest.newBuilder()
            .setComponent(component)
            .setTick(ProtoTime.of(tick))
            .build();
    return client.call(CronChange.class, request).getSequence();
  }

  /** Removes a table with its entries. Throws {@link TaskNotFoundException} when there is none. */
  public long removeTable(long component) {
    RemoveCronTableRequest request =
        RemoveCronTableRequest.newBuilder().setComponent(component).build();
    return client.call(CronChange.class, request, false).getSequence();
  }

  /**
   * Returns entries of all components, by component and position.
   *
   * @param limit maximum number of entries
   */
  public List<CronEntry> entries(int limit) {
    return entries(ListCronEntriesRequest.newBuilder(), limit);
  }

  /**
   * Returns the entries of a component by position.
   *
   * @param limit maximum number of entries
   */
  public List<CronEntry> entries(long component, int limit) {
    return entries(ListCronEntriesRequest.newBuilder().setComponent(component), limit);
  }

  private List<CronEntry> entries(ListCronEntriesRequest.Builder request, int limit) {
    return new PagedList(limit, "")
        .fetch((size, token) -> {
          ListCronEntriesResponse answer =
              client.call(
                  ListCronEntriesResponse.class,
                  request.setPageSize(size).setPageToken(token).build());
          return Page.of(answer.getEntriesList(), CronEntry::new, answer.getNextPageToken());
        });
  }

  /** Returns an entry. Throws {@link TaskNotFoundException} when there is none at the position. */
  public CronEntry entry(long component, int position) {
    return new CronEntry(
        client.call(
            io.kairos.api.v1.CronEntry.class,
            GetCronEntryRequest.newBuilder()
                .setComponent(component)
                .setPosition(position)
                .build()));
  }

  /** Creates an entry. Throws {@link TaskConflictException} when the position is taken. */
  public long create(CronEntry entry) {
    return put(entry, PutCronEntryRequest.Mode.CREATE, false);
  }

  /** Puts an entry at its position, in place of an existing entry. */
  public long replace(CronEntry entry) {
    return put(entry, PutCronEntryRequest.Mode.REPLACE, true);
  }

  private long put(CronEntry entry, PutCronEntryRequest.Mode mode, boolean repeatable) {
    PutCronEntryRequest request =
        PutCronEntryRequest.newBuilder().setEntry(entry.wire()).setMode(mode).build();
    return client.call(CronChange.class, request, repeatable).getSequence();
  }

  /** Removes an entry. Throws {@link TaskNotFoundException} when there is none at the position. */
  public long remove(long component, int position) {
    RemoveCronEntryRequest request =
        RemoveCronEntryRequest.newBuilder().setComponent(component).setPosition(position).build();
    return client.call(CronChange.class, request, false).getSequence();
  }

  /**
   * Removes all entries of a table and keeps the table; returns the number of entries removed.
   * Throws {@link TaskNotFoundException} when there is no such table.
   */
  public int removeAll(long component) {
    RemoveAllCronEntriesRequest request =
        RemoveAllCronEntriesRequest.newBuilder().setComponent(component).build();
    return client.call(RemoveAllCronEntriesResponse.class, request, false).getRemoved();
  }

  /**
   * Returns the latest fires of a table, newest first.
   *
   * @param limit maximum number of fires, 1 to 1,000
   */
  public List<CronFire> fires(long component, int limit) {
    ListCronFiresRequest request =
        ListCronFiresRequest.newBuilder().setComponent(component).setLimit(limit).build();
    return client.call(ListCronFiresResponse.class, request).getFiresList().stream()
        .map(CronFire::of)
        .toList();
  }

  /** Executes a request by a user's module on every replica. Not repeated after a lost answer. */
  public CronReply call(String module, byte[] body) {
    return call(request(module, body), false);
  }

  /**
   * Executes a request by a user's module on every replica. Repeated after a lost answer, and still
   * executed once.
   *
   * @param caller number of the caller, from 0, that no other caller uses
   * @param number number of its request, from 1, rising
   */
  public CronReply call(String module, byte[] body, long caller, long number) {
    return call(request(module, body).setClient(caller).setRequest(number), true);
  }

  private static CallModuleRequest.Builder request(String module, byte[] body) {
    return CallModuleRequest.newBuilder().setModule(module).setBody(ByteString.copyFrom(body));
  }

  private CronReply call(CallModuleRequest.Builder request, boolean repeatable) {
    return new CronReply(client.call(CallModuleResponse.class, request.build(), repeatable));
  }
}
