package io.kairos.spring;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.client.task.TaskId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.annotation.ReflectiveRuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.ResolvableType;
import org.springframework.javapoet.ClassName;

/** What is told to a native image; none is built here. */
class HintsTest {
  record Line(String picture) {}

  record Order(List<Line> lines) {}

  record Receipt(String id) {}

  static class Handlers {
    @KairosHandler("order")
    Receipt order(Order order) {
      return new Receipt(order.toString());
    }
  }

  @KairosTasks
  interface Orders {
    @KairosTask("order")
    TaskId order(Order order);
  }

  @Test
  @SuppressWarnings({"deprecation", "removal"}) // of Spring 7, whose replacement 6 does not have
  void a_handler_its_payload_and_its_result_are_kept() throws Exception {
    RuntimeHints hints = new RuntimeHints();

    new ReflectiveRuntimeHintsRegistrar().registerRuntimeHints(hints, Handlers.class);

    assertThat(
            RuntimeHintsPredicates.reflection()
                .onMethod(Handlers.class.getDeclaredMethod("order", Order.class))
                .invoke())
        .accepts(hints);
    for (Class<?> bound : List.of(Order.class, Line.class, Receipt.class)) {
      assertThat(RuntimeHintsPredicates.reflection().onType(bound)).accepts(hints);
    }
    assertThat(RuntimeHintsPredicates.reflection().onMethod(Line.class, "picture").invoke())
        .accepts(hints);
  }

  @Test
  void statements_of_transactions_are_kept() {
    RuntimeHints hints = new RuntimeHints();

    new KairosRuntimeHints().registerHints(hints, getClass().getClassLoader());

    assertThat(
            RuntimeHintsPredicates.resource()
                .forResource("io/kairos/client/transactional_schedule.sql"))
        .accepts(hints);
  }

  @SuppressWarnings("NullAway") // hints only: no code is generated
  @Test
  void an_interface_of_tasks_keeps_its_proxy() {
    RootBeanDefinition definition = new RootBeanDefinition(KairosTasksFactory.class);
    definition.setTargetType(
        ResolvableType.forClassWithGenerics(KairosTasksFactory.class, Orders.class));
    DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
    beans.registerBeanDefinition("orders", definition);
    DefaultGenerationContext generation =
        new DefaultGenerationContext(
            new ClassNameGenerator(ClassName.get("test", "Test")), new InMemoryGeneratedFiles());

    requireNonNull(new KairosTasksHints().processAheadOfTime(RegisteredBean.of(beans, "orders")))
        .applyTo(generation, null);

    assertThat(RuntimeHintsPredicates.proxies().forInterfaces(Orders.class))
        .accepts(generation.getRuntimeHints());
  }
}
