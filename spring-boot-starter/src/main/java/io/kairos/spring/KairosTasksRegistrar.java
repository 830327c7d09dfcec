package io.kairos.spring;

import static java.util.Objects.requireNonNull;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;

/** Makes each interface with {@link KairosTasks} in the application's packages a bean. */
final class KairosTasksRegistrar implements ImportBeanDefinitionRegistrar {
  private final BeanFactory beans;
  private final ResourceLoader resources;
  private final Environment environment;

  /** For Spring, which gives these. */
  KairosTasksRegistrar(BeanFactory beans, ResourceLoader resources, Environment environment) {
    this.beans = beans;
    this.resources = resources;
    this.environment = environment;
  }

  @Override
  public void registerBeanDefinitions(
      AnnotationMetadata importing, BeanDefinitionRegistry registry) {
    if (!AutoConfigurationPackages.has(beans)) {
      return;
    }
    ClassPathScanningCandidateComponentProvider interfaces =
        new ClassPathScanningCandidateComponentProvider(false, environment) {
          @Override
          protected boolean isCandidateComponent(AnnotatedBeanDefinition definition) {
            return definition.getMetadata().isInterface()
                && definition.getMetadata().isIndependent();
          }
        };
    interfaces.setResourceLoader(resources);
    interfaces.addIncludeFilter(new AnnotationTypeFilter(KairosTasks.class, false));
    for (String folder : AutoConfigurationPackages.get(beans)) {
      for (BeanDefinition each : interfaces.findCandidateComponents(folder)) {
        String name = requireNonNull(each.getBeanClassName());
        if (!registry.containsBeanDefinition(name)) {
          registry.registerBeanDefinition(name, definition(name));
        }
      }
    }
  }

  private RootBeanDefinition definition(String name) {
    Class<?> type = ClassUtils.resolveClassName(name, resources.getClassLoader());
    RootBeanDefinition definition = new RootBeanDefinition(KairosTasksFactory.class);
    definition.setTargetType(ResolvableType.forClassWithGenerics(KairosTasksFactory.class, type));
    definition.setAttribute(FactoryBean.OBJECT_TYPE_ATTRIBUTE, type);
    definition.setAutowireMode(AbstractBeanDefinition.AUTOWIRE_CONSTRUCTOR);
    definition.getConstructorArgumentValues().addIndexedArgumentValue(0, type);
    return definition;
  }
}
