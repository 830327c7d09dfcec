package io.kairos.model.node;

import io.kairos.domain.delay.RouteId;
import io.kairos.domain.task.queue.TopicName;
import io.kairos.engine.delay.DelayNode;
import io.kairos.engine.delay.setup.DelayConfig;
import io.kairos.engine.delay.setup.DelayPorts;
import io.kairos.engine.delay.setup.Route;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.loop.Step;
import io.kairos.engine.node.NodeLife;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** A production node on the models, whose steps a test runs by name, one round at a time. */
final class CrankedNode {
  private static final Duration BEAT = Duration.ofMillis(250);

  final NodeLife life;
  final DelayNode node;
  private final CrankedWorld world;
  private final Map<String, Step> steps = new HashMap<>();

  CrankedNode(CrankedWorld world, DelayConfig config, DelayPorts ports, String... routes) {
    this.world = world;
    List<Route> served = new ArrayList<>();
    for (String name : routes) {
      RouteId id = world.store.route(name);
      served.add(
          new Route(
              id,
              name,
              name + "-in",
              new TopicName(name + "-out"),
              Set.of(new TopicName(name + "-other")),
              new TopicName(name + "-dead"),
              new TopicName(name + "-results"),
              false,
              false,
              world.rejectBeyond,
              world.broker.join("kairos", name + "-in", 1_000, world::wakeup)));
    }
    this.life = world.life(config.liveness());
    this.node = new DelayNode(config, served, life, ports);
    Stream.concat(life.activities().stream(), node.activities().stream())
        .forEach(activity -> steps.put(activity.step().name(), activity.step()));
  }

  /** One round of each of these steps, in this order; says what the last one answered. */
  NextRound crank(String... names) {
    NextRound next = NextRound.AT_ONCE;
    for (String name : names) {
      Step step = steps.get(name);
      if (step == null) {
        throw new IllegalArgumentException(name + " is none of " + steps.keySet());
      }
      next = step.runOnce();
    }
    return next;
  }

  /** Enrols, and learns the topics. */
  CrankedNode begin() {
    crank("fire", "liveness");
    return this;
  }

  /** Lets time pass in which it fires and stays alive. */
  void live(Duration length) {
    for (Duration left = length; left.isPositive(); left = left.minus(BEAT)) {
      world.letPass(left.compareTo(BEAT) < 0 ? left : BEAT);
      crank("fire", "liveness", "watch-nodes");
    }
  }

  /** Reads what has come on the input of a route, which is positioned first. */
  CrankedNode takeIn(String route) {
    crank("intake-" + route, "intake-" + route);
    return this;
  }
}
