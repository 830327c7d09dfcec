package io.kairos.client;

import io.kairos.api.v1.CallModuleRequest;
import io.kairos.api.v1.CallModuleResponse;
import io.kairos.api.v1.CronEntry;
import io.kairos.api.v1.CronFire;
import io.kairos.api.v1.CronServiceGrpc;
import io.kairos.api.v1.CronTable;
import io.kairos.api.v1.GetCronEntryRequest;
import io.kairos.api.v1.GetReplicaRequest;
import io.kairos.api.v1.ListCronEntriesRequest;
import io.kairos.api.v1.ListCronEntriesResponse;
import io.kairos.api.v1.ListCronFiresRequest;
import io.kairos.api.v1.ListCronTablesRequest;
import io.kairos.api.v1.PutCronEntryRequest;
import io.kairos.api.v1.PutCronTableRequest;
import io.kairos.api.v1.RemoveAllCronEntriesRequest;
import io.kairos.api.v1.RemoveCronEntryRequest;
import io.kairos.api.v1.RemoveCronTableRequest;
import io.kairos.api.v1.Replica;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A replicated cron, in the messages of its protocol. A view of a {@link KairosClient} whose
 * addresses are those of replicas, with its token and manners; ends with it. Any replica will do:
 * each shows its own state, and changes are the same everywhere. Changes return their place in the
 * log. One whose answer was lost is not repeated where a second time would be another answer:
 * {@link NodesUnavailableException#mayHaveTakenEffect} tells. Thread-safe.
 */
public final class CronClient {
  private static final int MOST_ON_A_PAGE = 1_000;

  private final KairosClient client;

  CronClient(KairosClient client) {
    this.client = client;
  }

  /** The replica that answers, and the others as it knows them. */
  public Replica replica() {
    return client.call(
        CronServiceGrpc.getGetReplicaMethod(), GetReplicaRequest.getDefaultInstance(), true);
  }

  /** All tables, by component. */
  public List<CronTable> tables() {
    return client
        .call(
            CronServiceGrpc.getListTablesMethod(), ListCronTablesRequest.getDefaultInstance(), true)
        .getTablesList();
  }

  /**
   * Sets how often a table is evaluated.
   *
   * @param tick whole milliseconds up to 24 hours; zero for not at all
   */
  public long putTable(long component, Duration tick) {
    PutCronTableRequest request =
        PutCronTableRequest.newBuilder()
            .setComponent(component)
            .setTick(Protos.duration(tick))
            .build();
    return client.call(CronServiceGrpc.getPutTableMethod(), request, true).getSequence();
  }

  /** Removes a table with its entries. Throws {@link TaskNotFoundException} when there is none. */
  public long removeTable(long component) {
    RemoveCronTableRequest request =
        RemoveCronTableRequest.newBuilder().setComponent(component).build();
    return client.call(CronServiceGrpc.getRemoveTableMethod(), request, false).getSequence();
  }

  /**
   * Entries by component and position.
   *
   * @param component null for those of all
   * @param limit at most so many
   */
  public List<CronEntry> entries(@Nullable Long component, int limit) {
    ListCronEntriesRequest.Builder request = ListCronEntriesRequest.newBuilder();
    if (component != null) {
      request.setComponent(component);
    }
    List<CronEntry> all = new ArrayList<>();
    do {
      request.setPageSize(Math.min(MOST_ON_A_PAGE, limit - all.size()));
      ListCronEntriesResponse answer =
          client.call(CronServiceGrpc.getListEntriesMethod(), request.build(), true);
      all.addAll(answer.getEntriesList());
      request.setPageToken(answer.getNextPageToken());
    } while (!request.getPageToken().isEmpty() && all.size() < limit);
    return all;
  }

  /** Throws {@link TaskNotFoundException} when there is none at the position. */
  public CronEntry entry(long component, int position) {
    return client.call(
        CronServiceGrpc.getGetEntryMethod(),
        GetCronEntryRequest.newBuilder().setComponent(component).setPosition(position).build(),
        true);
  }

  /** Throws {@link TaskConflictException} when the position is taken. */
  public long create(CronEntry entry) {
    return put(entry, PutCronEntryRequest.Mode.CREATE, false);
  }

  /** Puts an entry in the place of whatever is there. */
  public long replace(CronEntry entry) {
    return put(entry, PutCronEntryRequest.Mode.REPLACE, true);
  }

  private long put(CronEntry entry, PutCronEntryRequest.Mode mode, boolean repeatable) {
    PutCronEntryRequest request =
        PutCronEntryRequest.newBuilder().setEntry(entry).setMode(mode).build();
    return client.call(CronServiceGrpc.getPutEntryMethod(), request, repeatable).getSequence();
  }

  /** Throws {@link TaskNotFoundException} when there is none at the position. */
  public long remove(long component, int position) {
    RemoveCronEntryRequest request =
        RemoveCronEntryRequest.newBuilder().setComponent(component).setPosition(position).build();
    return client.call(CronServiceGrpc.getRemoveEntryMethod(), request, false).getSequence();
  }

  /**
   * Removes all entries of a table, which stays; returns how many there were. Throws {@link
   * TaskNotFoundException} when there is no such table.
   */
  public int removeAll(long component) {
    RemoveAllCronEntriesRequest request =
        RemoveAllCronEntriesRequest.newBuilder().setComponent(component).build();
    return client.call(CronServiceGrpc.getRemoveAllEntriesMethod(), request, false).getRemoved();
  }

  /**
   * What has fired last in a table, newest first.
   *
   * @param limit 1 to 1,000
   */
  public List<CronFire> fires(long component, int limit) {
    ListCronFiresRequest request =
        ListCronFiresRequest.newBuilder().setComponent(component).setLimit(limit).build();
    return client.call(CronServiceGrpc.getListFiresMethod(), request, true).getFiresList();
  }

  /**
   * Has a request executed, once, by a user's module on every replica.
   *
   * @param request with client and number it is repeated when its answer was lost, and executed
   *     once all the same
   */
  public CallModuleResponse call(CallModuleRequest request) {
    return client.call(CronServiceGrpc.getCallMethod(), request, request.hasClient());
  }
}
