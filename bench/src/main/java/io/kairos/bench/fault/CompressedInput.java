package io.kairos.bench.fault;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.bench.fault.scene.DelayScene;
import io.kairos.bench.fault.scene.FaultContext;
import io.kairos.bench.fault.scene.FaultVerdict;
import io.kairos.bench.load.BenchWait;
import io.kairos.bench.load.LoadClock;
import io.kairos.bench.measure.ResourceMeter;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.rig.BenchRig;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A producer sends compressed records that together are larger than the nodes' memory, records of
 * many empty headers, which as objects are fifty times as large as they were, and one record that
 * is larger than anything that Kairos takes: they are parked, and no node dies.
 */
final class CompressedInput {
  private static final String HEAP = "-Xmx384m";
  private static final int RECORDS = 1_000;
  private static final int RECORD_BYTES = 1 << 20;
  private static final int HEADED = 64;
  private static final int HEADERS = 500_000;
  private static final int HUGE_BYTES = 150_000_000;
  private static final Duration BEFORE = Duration.ofSeconds(8);
  private static final Duration WITHIN = Duration.ofMinutes(3);

  private CompressedInput() {}

  static void happen(FaultContext context, FaultVerdict verdict) throws SQLException {
    BenchRig rig = context.startRig();
    rig.createTopics(context.node.partitions);
    rig.startNode(HEAP);
    rig.startNode(HEAP);
    DelayScene scene = new DelayScene(context, rig);
    BenchWait.pass(BEFORE);
    send(rig);
    context.say("all are sent");
    long sentAt = LoadClock.micros();
    boolean parked =
        scene.await(
            () ->
                !scene.allSurvived()
                    || rig.metric("kairos_delay_dead_letters_total") >= RECORDS + HEADED + 1,
            WITHIN);
    verdict
        .saw("parked within", Unit.MILLIS, (LoadClock.micros() - sentAt) / 1e3)
        .demand(scene.allSurvived(), "a node did not survive")
        .demand(parked, "not all of them were parked");
    scene.demandPunctual("after them", sentAt, WITHIN, verdict);
    ResourceMeter.peakMemory(rig.nodes().getFirst().pid(), verdict.figures());
    verdict.account(scene.settle());
  }

  /**
   * Records that become a gigabyte, some of a megabyte of headers, and one of a hundred and fifty
   * megabytes.
   */
  private static void send(BenchRig rig) {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            rig.bootstrapServers(),
            "compression.type",
            "gzip",
            "linger.ms",
            100,
            "batch.size",
            RECORD_BYTES,
            "max.request.size",
            2 * HUGE_BYTES,
            "buffer.memory",
            2L * HUGE_BYTES);
    byte[] zeros = new byte[RECORD_BYTES];
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (int i = 0; i < RECORDS; i++) {
        var _ = producer.send(new ProducerRecord<>(rig.input(), 0, null, zeros));
      }
      producer.flush();
      List<Header> headers = Collections.nCopies(HEADERS, new RecordHeader("", (byte[]) null));
      for (int i = 0; i < HEADED; i++) {
        var _ =
            producer.send(
                new ProducerRecord<byte[], byte[]>(rig.input(), 0, null, null, null, headers));
      }
      producer.flush();
      var _ =
          producer.send(
              new ProducerRecord<>(rig.input(), 0, "huge".getBytes(UTF_8), new byte[HUGE_BYTES]));
      producer.flush();
    }
  }
}
