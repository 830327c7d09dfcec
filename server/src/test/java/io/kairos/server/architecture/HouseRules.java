package io.kairos.server.architecture;

import io.kairos.server.architecture.specimen.api.ApiThatKnowsTheDomain;
import io.kairos.server.architecture.specimen.cli.CommandThatKnowsTheEngine;
import io.kairos.server.architecture.specimen.client.ClientThatKnowsTheEngine;
import io.kairos.server.architecture.specimen.client.ClientThatReadsTheClock;
import io.kairos.server.architecture.specimen.consensus.ConsensusThatKnowsPostgres;
import io.kairos.server.architecture.specimen.contracts.ContractThatKnowsAnAdapter;
import io.kairos.server.architecture.specimen.domain.DomainThatKnowsTheEngine;
import io.kairos.server.architecture.specimen.edge.EdgeThatConstructsAnAdapter;
import io.kairos.server.architecture.specimen.edge.EdgeThatKnowsPush;
import io.kairos.server.architecture.specimen.embedded.EmbeddedThatKnowsTheDomain;
import io.kairos.server.architecture.specimen.engine.EngineThatDeserialises;
import io.kairos.server.architecture.specimen.engine.EngineThatDrawsRandomNumbers;
import io.kairos.server.architecture.specimen.engine.EngineThatKnowsAnAdapter;
import io.kairos.server.architecture.specimen.engine.EngineThatOpensFiles;
import io.kairos.server.architecture.specimen.engine.EngineThatReadsItsEnvironment;
import io.kairos.server.architecture.specimen.engine.EngineThatReadsTheClock;
import io.kairos.server.architecture.specimen.engine.EngineThatSleeps;
import io.kairos.server.architecture.specimen.hashgraph.HashgraphThatKnowsPostgres;
import io.kairos.server.architecture.specimen.inprocess.ApplicationThatKnowsKafka;
import io.kairos.server.architecture.specimen.kafka.KafkaThatKnowsEmbedded;
import io.kairos.server.architecture.specimen.model.ModelThatKnowsAnAdapter;
import io.kairos.server.architecture.specimen.names.QueueHelper;
import io.kairos.server.architecture.specimen.names.QueueManager;
import io.kairos.server.architecture.specimen.names.QueueScheduler;
import io.kairos.server.architecture.specimen.names.QueueUtil;
import io.kairos.server.architecture.specimen.names.QueueUtils;
import io.kairos.server.architecture.specimen.node.NodeThatKnowsPostgres;
import io.kairos.server.architecture.specimen.postgres.PostgresThatKnowsKafka;
import io.kairos.server.architecture.specimen.push.PushThatKnowsTheEdge;
import io.kairos.server.architecture.specimen.ring.left.Left;
import io.kairos.server.architecture.specimen.ring.right.Right;
import io.kairos.server.architecture.specimen.server.observe.ServerThatKnowsTheModel;
import io.kairos.server.architecture.specimen.unmarked.InAPackageWithoutNullMarked;
import java.util.List;
import java.util.stream.Stream;

/** The rules of the house with the specimens that keep them awake. */
final class HouseRules {
  private HouseRules() {}

  static List<HouseRule> all() {
    return Stream.of(arrows(), outsideWorld(), shape()).flatMap(List::stream).toList();
  }

  static List<HouseRule> arrows() {
    return List.of(
        HouseRule.of("the wire knows nobody", Arrows.from("api"), ApiThatKnowsTheDomain.class),
        HouseRule.of(
            "the domain knows nobody", Arrows.from("domain"), DomainThatKnowsTheEngine.class),
        HouseRule.of(
            "the engine knows the domain",
            Arrows.from("engine", "domain"),
            EngineThatKnowsAnAdapter.class),
        HouseRule.of(
            "the models know the engine",
            Arrows.from("model", "engine", "domain"),
            ModelThatKnowsAnAdapter.class),
        HouseRule.of(
            "the contracts know the models and no adapter",
            Arrows.from("contracts", "model", "engine", "domain"),
            ContractThatKnowsAnAdapter.class),
        HouseRule.of(
            "the edge knows the wire and the engine",
            Arrows.from("edge", "api", "engine", "domain"),
            EdgeThatKnowsPush.class),
        HouseRule.of(
            "the assembly of nodes knows the engine",
            Arrows.from("node", "engine", "domain"),
            NodeThatKnowsPostgres.class),
        HouseRule.of(
            "a node inside an application knows Postgres and no other adapter",
            Arrows.from(
                "inprocess", "client", "api", "edge", "node", "engine", "domain", "postgres"),
            ApplicationThatKnowsKafka.class),
        HouseRule.of(
            "pushing knows the wire and the engine",
            Arrows.from("push", "api", "engine", "domain"),
            PushThatKnowsTheEdge.class),
        HouseRule.of(
            "Postgres knows the engine",
            Arrows.from("postgres", "engine", "domain"),
            PostgresThatKnowsKafka.class),
        HouseRule.of(
            "Kafka knows the engine",
            Arrows.from("kafka", "engine", "domain"),
            KafkaThatKnowsEmbedded.class),
        HouseRule.of(
            "consensus knows the engine",
            Arrows.from("consensus", "engine", "domain"),
            ConsensusThatKnowsPostgres.class),
        HouseRule.of(
            "the hashgraph knows the engine",
            Arrows.from("hashgraph", "engine", "domain"),
            HashgraphThatKnowsPostgres.class),
        HouseRule.of(
            "the embedded engines know nobody",
            Arrows.from("embedded"),
            EmbeddedThatKnowsTheDomain.class),
        HouseRule.of(
            "the client knows the wire and nothing of the house",
            Arrows.from("client", "api"),
            ClientThatKnowsTheEngine.class),
        HouseRule.of(
            "the command line knows the client and of the house the text of times alone",
            Arrows.from("cli", "client", "api", "domain.time"),
            CommandThatKnowsTheEngine.class),
        HouseRule.of(
            "the server does not know the models",
            Arrows.from(
                "server",
                "api",
                "cli",
                "engine",
                "domain",
                "node",
                "edge",
                "push",
                "postgres",
                "kafka",
                "consensus",
                "embedded"),
            ServerThatKnowsTheModel.class),
        HouseRule.of(
            "only wiring knows adapters",
            Arrows::onlyWiringKnowsAdapters,
            EdgeThatConstructsAnAdapter.class),
        HouseRule.of(
            "no input or output in domain and engine",
            Arrows::noInputOrOutputInside,
            EngineThatOpensFiles.class),
        HouseRule.of("no cycles between packages", Arrows::noCycles, Left.class, Right.class));
  }

  static List<HouseRule> outsideWorld() {
    return List.of(
        HouseRule.of(
            "time comes from outside",
            OutsideWorld::noClock,
            EngineThatReadsTheClock.class,
            ClientThatReadsTheClock.class),
        HouseRule.of("waiting comes from outside", OutsideWorld::noSleep, EngineThatSleeps.class),
        HouseRule.of(
            "chance comes from outside",
            OutsideWorld::noChance,
            EngineThatDrawsRandomNumbers.class),
        HouseRule.of(
            "settings come from outside",
            OutsideWorld::noSettings,
            EngineThatReadsItsEnvironment.class));
  }

  static List<HouseRule> shape() {
    return List.of(
        HouseRule.of(
            "nothing is deserialised", Shape::nothingIsDeserialised, EngineThatDeserialises.class),
        HouseRule.of(
            "names say what a class does",
            Shape::namesSayWhatAClassDoes,
            QueueScheduler.class,
            QueueManager.class,
            QueueUtil.class,
            QueueUtils.class,
            QueueHelper.class),
        HouseRule.of(
            "every package is null-marked",
            Shape::everyPackageIsNullMarked,
            InAPackageWithoutNullMarked.class));
  }
}
