package io.kairos.spring;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.NamedBeanHolder;

/** The {@code DataSource} of the node inside the application, among those that it has. */
record NodeSource(ConfigurableListableBeanFactory beans) {
  private static final String NAME = "kairos.in-process.data-source";

  /**
   * @param name of the bean; null for the only one, or the primary one
   * @throws KairosConfigurationException when there is none, or which one is meant is not clear
   */
  NamedBeanHolder<DataSource> find(@Nullable String name) {
    List<String> names =
        Stream.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, DataSource.class))
            .map(Objects::requireNonNull)
            .toList();
    if (name != null && !names.isEmpty()) {
      if (!names.contains(name)) {
        throw new KairosConfigurationException(
            "%s is '%s', and no DataSource has this name.".formatted(NAME, name),
            "Set it to one of %s.".formatted(String.join(", ", names)));
      }
      return new NamedBeanHolder<>(name, beans.getBean(name, DataSource.class));
    }
    try {
      return beans.resolveNamedBean(DataSource.class);
    } catch (NoUniqueBeanDefinitionException e) {
      throw new KairosConfigurationException(
          "kairos.mode is in-process, and the application has several DataSources: %s."
              .formatted(String.join(", ", names)),
          "Name one of them by %s, or make it @Primary.".formatted(NAME),
          e);
    } catch (NoSuchBeanDefinitionException e) {
      if (!names.isEmpty()) {
        throw e; // of a bean that a DataSource needs
      }
      throw new KairosConfigurationException(
          "kairos.mode is in-process, and the application has no DataSource.",
          "Add spring-boot-starter-jdbc and the Postgres driver, and set spring.datasource.url to a"
              + " Postgres.",
          e);
    }
  }
}
