package io.kairos.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.generate.GenerationContext;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.aot.BeanRegistrationCode;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.ResolvableType;

/** What a native image must keep of an interface with {@link KairosTasks}: its proxy. */
final class KairosTasksHints implements BeanRegistrationAotProcessor {
  /** For Spring. */
  KairosTasksHints() {}

  @Override
  public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
    ResolvableType type = bean.getMergedBeanDefinition().getResolvableType();
    if (type.toClass() != KairosTasksFactory.class) {
      return null;
    }
    Class<?> tasks = type.getGeneric(0).toClass();
    return (GenerationContext generation, BeanRegistrationCode code) ->
        generation.getRuntimeHints().proxies().registerJdkProxy(tasks);
  }
}
