package io.kairos.postgres.cluster;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.cluster.RouteFigures;
import io.kairos.engine.cluster.RouteFigures.Amendments;
import io.kairos.engine.cluster.RouteFigures.Input;
import io.kairos.engine.cluster.RouteFigures.Lane;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlCall;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes and reads rows of {@code route_figures}. */
final class RouteRows {
  private RouteRows() {}

  static SqlCall tell(SqlCall call, NodeId node, long period, RouteFigures told) {
    return call.with("node_id", node.value())
        .with("route", told.route())
        .with("period", period)
        .with("node", told.node())
        .with("input", told.input())
        .with("output", told.output())
        .with("dead_letters", told.deadLetters())
        .with("partitions", ColumnBatch.longs(told.inputs(), Input::partition))
        .with("positions", ColumnBatch.longs(told.inputs(), Input::position))
        .with("lags", ColumnBatch.longsOrNulls(told.inputs(), RouteRows::lag))
        .with("lane_outputs", ColumnBatch.texts(told.lanes(), Lane::output))
        .with("lane_partitions", ColumnBatch.longs(told.lanes(), Lane::partition))
        .with("lane_troubles", ColumnBatch.texts(told.lanes(), Lane::trouble))
        .with("lane_queued", ColumnBatch.longs(told.lanes(), Lane::queued))
        .with("taken_over", told.takenOver())
        .with("amended_applied", told.amendments().applied())
        .with("amended_too_late", told.amendments().tooLate())
        .with("amended_unknown", told.amendments().unknownId());
  }

  private static @Nullable Long lag(Input input) {
    return input.lag() < 0 ? null : (Long) input.lag();
  }

  /** Reads the columns of routes_told. */
  static RouteFigures read(ResultSet row) throws SQLException {
    Object[] partitions = array(row, 6);
    Object[] positions = array(row, 7);
    @Nullable Object[] lags = array(row, 8);
    List<Input> inputs = new ArrayList<>();
    for (int i = 0; i < partitions.length; i++) {
      Object lag = lags[i];
      inputs.add(
          new Input((Long) partitions[i], (Long) positions[i], lag == null ? -1 : (Long) lag));
    }
    Object[] outputs = array(row, 9);
    Object[] lanePartitions = array(row, 10);
    Object[] troubles = array(row, 11);
    Object[] queued = array(row, 12);
    List<Lane> lanes = new ArrayList<>();
    for (int i = 0; i < outputs.length; i++) {
      lanes.add(
          new Lane(
              (String) outputs[i],
              (Long) lanePartitions[i],
              (String) troubles[i],
              (Long) queued[i]));
    }
    return new RouteFigures(
        NonNullColumns.text(row, 1),
        NonNullColumns.text(row, 2),
        NonNullColumns.text(row, 3),
        NonNullColumns.text(row, 4),
        NonNullColumns.text(row, 5),
        inputs,
        lanes,
        row.getLong(13),
        new Amendments(row.getLong(14), row.getLong(15), row.getLong(16)));
  }

  private static Object[] array(ResultSet row, int column) throws SQLException {
    Array array = requireNonNull(row.getArray(column));
    return (Object[]) requireNonNull(array.getArray());
  }
}
