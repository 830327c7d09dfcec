package io.kairos.spring.test;

import io.kairos.junit.KairosNode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;

/**
 * Starts the node of a context and tells the application its address. Equal for tests that can
 * share a context.
 *
 * @param startingAt when the clock begins; empty for the present time
 */
record KairosNodeCustomizer(String startingAt) implements ContextCustomizer {
  /** Makes it for tests with {@link KairosTest}. */
  static final class Factory implements ContextCustomizerFactory {
    /** For Spring. */
    Factory() {}

    @Override
    public @Nullable ContextCustomizer createContextCustomizer(
        Class<?> test, List<ContextConfigurationAttributes> attributes) {
      KairosTest annotation = AnnotatedElementUtils.findMergedAnnotation(test, KairosTest.class);
      return annotation == null ? null : new KairosNodeCustomizer(annotation.startingAt());
    }
  }

  @Override
  public void customizeContext(
      ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
    KairosNode node =
        startingAt.isEmpty()
            ? KairosNode.start()
            : KairosNode.startingAt(Instant.parse(startingAt));
    context
        .getEnvironment()
        .getPropertySources()
        .addFirst(
            new MapPropertySource(
                "kairos test node",
                Map.of(
                    "kairos.mode",
                    "server",
                    "kairos.address",
                    node.address(),
                    "kairos.transactions",
                    "separate")));
    define(context.getBeanFactory(), node);
  }

  /** The context closes the node when it is closed, after the beans that use it. */
  private static void define(ConfigurableListableBeanFactory beans, KairosNode node) {
    RootBeanDefinition definition = new RootBeanDefinition(KairosNode.class, () -> node);
    definition.setDestroyMethodName("close");
    ((BeanDefinitionRegistry) beans).registerBeanDefinition("kairosNode", definition);
  }
}
