package io.kairos.spring;

import io.kairos.client.KairosClient;
import io.kairos.client.LocalNodeProvider;
import io.kairos.client.TransactionalTasks;
import io.kairos.client.encryption.EncryptedPayloads;
import io.kairos.client.handler.HandlerInterceptor;
import io.kairos.client.worker.ErrorRedaction;
import io.kairos.client.worker.Worker;
import io.kairos.client.worker.WorkerListener;
import io.micrometer.observation.ObservationRegistry;
import jakarta.validation.Validator;
import java.lang.management.ManagementFactory;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.NamedBeanHolder;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;

/**
 * Gives an application the client, the worker and the schedules of Kairos. Names of Spring Boot's
 * own configurations are those of 3 and of 4.
 */
@AutoConfiguration(
    afterName = {
      "org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration",
      "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration",
      "org.springframework.boot.jackson2.autoconfigure.Jackson2AutoConfiguration",
      "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
      "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
      "org.springframework.boot.autoconfigure.validation.ValidationAutoConfiguration",
      "org.springframework.boot.validation.autoconfigure.ValidationAutoConfiguration",
      "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration",
      "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
    })
@ConditionalOnProperty(name = "kairos.enabled", matchIfMissing = true)
@EnableConfigurationProperties(KairosProperties.class)
@Import(KairosTasksRegistrar.class)
@ImportRuntimeHints(KairosRuntimeHints.class)
public final class KairosAutoConfiguration {
  private static final int JAVA_WITH_VIRTUAL_THREADS = 21;

  /** For Spring. */
  public KairosAutoConfiguration() {}

  @Bean
  static PayloadForms kairosPayloadForms(ObjectProvider<KairosCodecs> codecs) {
    return new PayloadForms(codecs.orderedStream().findFirst().orElse(null));
  }

  @Bean
  static TaskMethods kairosTaskMethods(
      ConfigurableListableBeanFactory beans,
      PayloadForms forms,
      ObjectProvider<PayloadValidation> validation) {
    return new TaskMethods(
        beans,
        new TaskMethodReader(
            beans::resolveEmbeddedValue,
            forms,
            validation.getIfAvailable(() -> PayloadValidation.NONE)));
  }

  @Bean
  static KairosTemplate kairosTemplate(
      KairosMode mode,
      TaskMethods methods,
      PayloadForms forms,
      KairosProperties properties,
      ObjectProvider<TransactionJoin> join,
      ObjectProvider<ScheduleObservation> observation) {
    return new KairosTemplate(
        mode,
        methods,
        forms,
        properties.transactions() == KairosProperties.Transactions.JOIN
            ? join.getIfAvailable(() -> TransactionJoin.NONE)
            : TransactionJoin.NONE,
        observation.getIfAvailable(() -> ScheduleObservation.NONE));
  }

  @Bean
  static ScheduleReconciler kairosScheduleReconciler(
      KairosMode mode, TaskMethods methods, KairosProperties properties, Environment environment) {
    return new ScheduleReconciler(
        mode,
        methods,
        properties.schedules(),
        environment.getProperty("spring.application.name", ""),
        () -> instance(environment));
  }

  /** Tells instances apart whose schedules are not the same, though they have one name. */
  private static String instance(Environment environment) {
    String process =
        "%s %s"
            .formatted(
                environment.getProperty("spring.application.name", "an application without a name"),
                ManagementFactory.getRuntimeMXBean().getName());
    String[] profiles = environment.getActiveProfiles();
    return profiles.length == 0
        ? process
        : process + " with the profiles " + String.join(", ", profiles);
  }

  /** Starts after migrations of the application, also where beans are made when they are needed. */
  @Bean
  @DependsOnDatabaseInitialization
  static KairosLifecycle kairosLifecycle(
      KairosMode mode,
      TaskMethods methods,
      KairosProperties properties,
      ScheduleReconciler schedules) {
    return new KairosLifecycle(mode, methods, properties, schedules);
  }

  /** Tasks on nodes, by client and worker. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnMissingBean(KairosMode.class)
  static class Client {
    @Bean
    Nodes kairosNodes(
        KairosProperties properties,
        ConfigurableListableBeanFactory beans,
        ObjectProvider<EncryptedPayloads> payloads,
        ObjectProvider<KairosConnectionCustomizer> customizers,
        ObjectProvider<KairosTasksFactory<?>> interfaces) {
      if (properties.mode() == KairosProperties.Mode.SERVER) {
        return new ServerNodes(
            properties, payloads.getIfAvailable(), customizers.orderedStream().toList());
      }
      LocalNodeProvider provider =
          InProcessNodes.provider(Runtime.version().feature(), beans.getBeanClassLoader());
      NamedBeanHolder<DataSource> source =
          new NodeSource(beans).find(properties.inProcess().dataSource());
      beans.registerDependentBean(source.getBeanName(), "kairosNodes"); // closed after them
      return new InProcessNodes(
          source.getBeanInstance(),
          properties.inProcess(),
          provider,
          payloads.getIfAvailable(),
          interfaces);
    }

    @Bean
    @ConditionalOnMissingBean
    KairosClient kairosClient(
        Nodes nodes, ObjectProvider<KairosClient.ScheduleInterceptor> interceptors) {
      KairosClient.Builder builder = nodes.client();
      interceptors.orderedStream().forEach(builder::intercept);
      return builder.build();
    }

    @Bean
    KairosMode kairosMode(
        KairosClient client,
        Nodes nodes,
        KairosProperties properties,
        Environment environment,
        ObjectProvider<HandlerInterceptor> interceptors,
        ObjectProvider<WorkerListener> listener,
        ObjectProvider<ErrorRedaction> redaction) {
      return new ClientMode(
          client,
          nodes,
          builder -> {
            settings(builder, properties.worker(), environment);
            interceptors.orderedStream().forEach(builder::intercept);
            listener.ifAvailable(builder::listener);
            redaction.ifAvailable(builder::redactErrors);
          });
    }

    private static void settings(
        Worker.Builder builder, KairosProperties.Worker worker, Environment environment) {
      if (worker.name() != null) {
        builder.name(worker.name());
      }
      if (worker.concurrency() != null) {
        builder.concurrency(worker.concurrency());
      }
      builder
          .localBuffer(worker.localBuffer())
          .drainTime(worker.drainTime())
          .terminationGrace(worker.terminationGrace());
      if (environment.getProperty("spring.threads.virtual.enabled", Boolean.class, false)
          && Runtime.version().feature() >= JAVA_WITH_VIRTUAL_THREADS) {
        builder.executor(new VirtualThreadTaskExecutor("kairos-executor-"));
      }
    }
  }

  /** Where the application has Jackson 3. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(tools.jackson.databind.json.JsonMapper.class)
  static class Jackson3 {
    @Bean
    @ConditionalOnBean(tools.jackson.databind.json.JsonMapper.class)
    @ConditionalOnMissingBean(KairosCodecs.class)
    KairosCodecs kairosJackson3Codecs(tools.jackson.databind.json.JsonMapper mapper) {
      return new Jackson3Codecs(mapper);
    }
  }

  /** Where the application has Jackson 2. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(com.fasterxml.jackson.databind.ObjectMapper.class)
  static class Jackson2 {
    @Bean
    @ConditionalOnBean(com.fasterxml.jackson.databind.ObjectMapper.class)
    @ConditionalOnMissingBean(KairosCodecs.class)
    KairosCodecs kairosJackson2Codecs(com.fasterxml.jackson.databind.ObjectMapper mapper) {
      return new Jackson2Codecs(mapper);
    }
  }

  /** Where the application has Bean Validation. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(Validator.class)
  static class Validation {
    @Bean
    PayloadValidation kairosPayloadValidation(ObjectProvider<Validator> validators) {
      return new JakartaValidation(validators);
    }
  }

  /** Where the application has transactions of JDBC. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(org.springframework.jdbc.datasource.DataSourceUtils.class)
  static class Transactions {
    @Bean
    static TransactionWatch kairosTransactionWatch() {
      return new TransactionWatch();
    }

    @Bean
    TransactionJoin kairosTransactionJoin(
        ObjectProvider<Nodes> nodes,
        ObjectProvider<DataSource> sources,
        ObjectProvider<EncryptedPayloads> encryption) {
      if (nodes.getIfAvailable() instanceof InProcessNodes inside) {
        return new JdbcTransactionJoin(inside.source(), inside);
      }
      DataSource source = sources.getIfUnique();
      EncryptedPayloads payloads = encryption.getIfAvailable();
      if (source == null) {
        return TransactionJoin.NONE;
      }
      return new JdbcTransactionJoin(
          source,
          payloads == null
              ? TransactionalTasks::scheduleAll
              : (connection, tasks) -> TransactionalTasks.scheduleAll(connection, tasks, payloads));
    }
  }

  /** Where the application observes. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(ObservationRegistry.class)
  static class Observations {
    @Bean
    @ConditionalOnBean(ObservationRegistry.class)
    TaskObservations kairosTaskObservations(ObservationRegistry registry) {
      return new TaskObservations(registry);
    }
  }
}
