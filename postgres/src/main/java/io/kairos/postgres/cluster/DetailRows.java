package io.kairos.postgres.cluster;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.cluster.DetailFigures;
import io.kairos.engine.cluster.DetailFigures.Attempts;
import io.kairos.engine.cluster.DetailFigures.Endpoint;
import io.kairos.engine.cluster.DetailFigures.EndpointWork;
import io.kairos.engine.cluster.LatenessCounts;
import io.kairos.engine.cluster.NodeDetails;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlCall;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Writes and reads rows of {@code node_details}. */
final class DetailRows {
  private DetailRows() {}

  static SqlCall write(SqlCall call, NodeDetails told) {
    List<Map.Entry<TaskHandler, Attempts>> handlers =
        List.copyOf(told.figures().handlers().entrySet());
    List<Map.Entry<Endpoint, EndpointWork>> endpoints =
        List.copyOf(told.figures().endpoints().entrySet());
    return call.with("node", told.node().value())
        .with("period", told.period())
        .with("handlers", ColumnBatch.texts(handlers, one -> one.getKey().wireName()))
        .with("begun", ColumnBatch.longs(handlers, one -> one.getValue().begun()))
        .with("ended", ColumnBatch.longs(handlers, one -> one.getValue().ended()))
        .with("failed", ColumnBatch.longs(handlers, one -> one.getValue().failed()))
        .with("pools", ColumnBatch.texts(endpoints, one -> one.getKey().pool().value()))
        .with("endpoints", ColumnBatch.texts(endpoints, one -> one.getKey().name()))
        .with("in_flight", ColumnBatch.longs(endpoints, one -> one.getValue().inFlight()))
        .with("ejecting", ColumnBatch.ints(endpoints, one -> one.getValue().ejecting()))
        .with("ejections", ColumnBatch.longs(endpoints, one -> one.getValue().ejections()))
        .with("answers", ColumnBatch.bytes(endpoints, one -> one.getValue().answers().bytes()));
  }

  static NodeDetails read(ResultSet row) throws SQLException {
    Map<TaskHandler, Attempts> handlers = new HashMap<>();
    Object[] names = array(row, 3);
    Object[] begun = array(row, 4);
    Object[] ended = array(row, 5);
    Object[] failed = array(row, 6);
    for (int i = 0; i < names.length; i++) {
      handlers.put(
          TaskHandler.ofWireName((String) names[i]),
          new Attempts((Long) begun[i], (Long) ended[i], (Long) failed[i]));
    }
    Map<Endpoint, EndpointWork> endpoints = new HashMap<>();
    Object[] pools = array(row, 7);
    Object[] addresses = array(row, 8);
    Object[] inFlight = array(row, 9);
    Object[] ejecting = array(row, 10);
    Object[] ejections = array(row, 11);
    Object[] answers = array(row, 12);
    for (int i = 0; i < pools.length; i++) {
      endpoints.put(
          new Endpoint(new PoolName((String) pools[i]), (String) addresses[i]),
          new EndpointWork(
              (Long) inFlight[i],
              (Integer) ejecting[i],
              (Long) ejections[i],
              LatenessCounts.ofBytes((byte[]) answers[i])));
    }
    return new NodeDetails(
        new NodeId(NonNullColumns.uuid(row, 1)),
        row.getLong(2),
        new DetailFigures(handlers, endpoints));
  }

  private static Object[] array(ResultSet row, int column) throws SQLException {
    return (Object[]) requireNonNull(requireNonNull(row.getArray(column)).getArray());
  }
}
