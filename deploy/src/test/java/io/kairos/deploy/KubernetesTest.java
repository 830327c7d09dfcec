package io.kairos.deploy;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.kustomize.v1beta1.Kustomization;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.openshift.api.model.monitoring.v1.ServiceMonitor;
import io.kairos.edge.caller.CallerRole;
import io.kairos.server.config.SettingSources;
import io.kairos.server.config.SettingsReader;
import io.kairos.server.wiring.ForcedExit;
import io.kairos.server.wiring.ReplicaConfig;
import io.kairos.server.wiring.ServerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The manifests: that a client of Kubernetes understands all of them, and that they fit together.
 */
class KubernetesTest {
  private static final String NODES = "kubernetes";
  private static final String REPLICAS = "kubernetes/replicas";
  private static final String PROMETHEUS = "kubernetes/prometheus";

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {NODES, REPLICAS, PROMETHEUS})
  void every_manifest_is_in_the_kustomization(String name) throws IOException {
    Kustomization kustomization =
        Manifests.strictly(
            Files.readString(Path.of(name, "kustomization.yaml")), Kustomization.class);

    assertThat(kustomization.getResources())
        .containsExactlyInAnyOrderElementsOf(Manifests.names(Path.of(name)));
  }

  @ParameterizedTest
  @ValueSource(strings = {NODES, REPLICAS})
  void all_selectors_select_the_pods(String name) throws IOException {
    List<HasMetadata> manifests = Manifests.all(Path.of(name));
    Map<String, String> labels = pod(manifests).getMetadata().getLabels();

    assertThat(
            List.of(
                Manifests.one(manifests, Service.class).getSpec().getSelector(),
                Manifests.one(manifests, PodDisruptionBudget.class)
                    .getSpec()
                    .getSelector()
                    .getMatchLabels(),
                Manifests.one(manifests, NetworkPolicy.class)
                    .getSpec()
                    .getPodSelector()
                    .getMatchLabels()))
        .allSatisfy(selector -> assertThat(labels).isNotEmpty().containsAllEntriesOf(selector))
        .doesNotContain(Map.of());
  }

  /** By kinds that every Kubernetes has: those of operators are in folders of their own. */
  @ParameterizedTest
  @ValueSource(strings = {NODES, REPLICAS})
  void a_folder_can_be_applied_without_an_operator(String name) throws IOException {
    assertThat(Manifests.all(Path.of(name)))
        .extracting(HasMetadata::getApiVersion)
        .isSubsetOf("v1", "apps/v1", "policy/v1", "networking.k8s.io/v1");
  }

  @ParameterizedTest
  @ValueSource(strings = {NODES, REPLICAS})
  void prometheus_reads_a_port_of_the_service(String name) throws IOException {
    Service service = Manifests.one(Manifests.all(Path.of(name)), Service.class);

    assertThat(Manifests.all(Path.of(PROMETHEUS)).stream().map(ServiceMonitor.class::cast))
        .filteredOn(monitor ->
            monitor
                .getSpec()
                .getSelector()
                .getMatchLabels()
                .equals(service.getMetadata().getLabels()))
        .singleElement()
        .satisfies(monitor ->
            assertThat(service.getSpec().getPorts())
                .extracting(ServicePort::getName)
                .contains(monitor.getSpec().getEndpoints().getFirst().getPort()));
  }

  @ParameterizedTest
  @ValueSource(strings = {NODES, REPLICAS})
  void every_port_that_is_named_is_one_of_the_container(String name) throws IOException {
    List<HasMetadata> manifests = Manifests.all(Path.of(name));
    List<String> ports =
        container(manifests).getPorts().stream().map(port -> port.getName()).toList();

    assertThat(ports)
        .containsAll(
            Manifests.one(manifests, Service.class).getSpec().getPorts().stream()
                .map(port -> port.getTargetPort().getStrVal())
                .toList())
        .containsAll(
            Manifests.one(manifests, NetworkPolicy.class).getSpec().getIngress().stream()
                .flatMap(rule -> rule.getPorts().stream())
                .map(port -> port.getPort().getStrVal())
                .toList())
        .containsAll(
            probes(container(manifests))
                .map(probe -> probe.getHttpGet().getPort().getStrVal())
                .toList());
  }

  /** Calls still come after the order to stop; then the process needs its time. */
  @ParameterizedTest
  @ValueSource(strings = {NODES, REPLICAS})
  void a_pod_has_the_time_for_an_orderly_end(String name) throws IOException {
    List<HasMetadata> manifests = Manifests.all(Path.of(name));

    long drains = container(manifests).getLifecycle().getPreStop().getSleep().getSeconds();

    assertThat(drains).isPositive();
    assertThat(Duration.ofSeconds(pod(manifests).getSpec().getTerminationGracePeriodSeconds()))
        .isGreaterThan(ForcedExit.ORDERLY_END.plusSeconds(drains));
  }

  @ParameterizedTest
  @ValueSource(strings = {NODES, REPLICAS})
  void a_pod_has_no_right_that_it_does_not_need(String name) throws IOException {
    List<HasMetadata> manifests = Manifests.all(Path.of(name));
    var security = container(manifests).getSecurityContext();

    assertThat(pod(manifests).getSpec().getSecurityContext().getRunAsNonRoot()).isTrue();
    assertThat(pod(manifests).getSpec().getAutomountServiceAccountToken()).isFalse();
    assertThat(security.getReadOnlyRootFilesystem()).isTrue();
    assertThat(security.getAllowPrivilegeEscalation()).isFalse();
    assertThat(security.getCapabilities().getDrop()).containsExactly("ALL");
  }

  @ParameterizedTest
  @ValueSource(strings = {NODES, REPLICAS})
  void the_image_is_of_this_version(String name) throws IOException {
    assertThat(container(Manifests.all(Path.of(name))).getImage())
        .isEqualTo("kairos:" + Version.current());
  }

  @Test
  void a_node_starts_with_these_settings() throws IOException {
    List<HasMetadata> manifests = Manifests.all(Path.of(NODES));

    ServerConfig config = ServerConfig.read(sources(manifests, "kairos.yaml"));

    assertThat(config.http().port()).isEqualTo(httpPort(manifests));
    assertThat(config.postgres().embedded()).isFalse();
  }

  @Test
  void a_replica_starts_with_these_settings() throws IOException {
    List<HasMetadata> manifests = Manifests.all(Path.of(REPLICAS));

    ReplicaConfig config =
        ReplicaConfig.read(new SettingsReader(sources(manifests, "replica.yaml")));

    assertThat(config.http().port()).isEqualTo(httpPort(manifests));
    assertThat(config.log().replicas())
        .hasSize(Manifests.one(manifests, StatefulSet.class).getSpec().getReplicas());
  }

  @Test
  void the_replicas_may_bring_tasks_to_the_nodes() throws IOException {
    List<HasMetadata> nodes = Manifests.all(Path.of(NODES));
    List<HasMetadata> replicas = Manifests.all(Path.of(REPLICAS));
    Service service = Manifests.one(nodes, Service.class);

    assertThat(
            ReplicaConfig.read(new SettingsReader(sources(replicas, "replica.yaml")))
                .node()
                .orElseThrow()
                .url())
        .hasHost(service.getMetadata().getName())
        .hasPort(service.getSpec().getPorts().getFirst().getPort());
    assertThat(
            Manifests.one(nodes, NetworkPolicy.class).getSpec().getIngress().stream()
                .flatMap(rule -> rule.getFrom().stream())
                .filter(peer -> peer.getPodSelector() != null)
                .map(peer -> peer.getPodSelector().getMatchLabels()))
        .anySatisfy(admitted ->
            assertThat(pod(replicas).getMetadata().getLabels()).containsAllEntriesOf(admitted));
    assertThat(ServerConfig.read(sources(nodes, "kairos.yaml")).http().callers().callers())
        .anySatisfy(caller -> assertThat(caller.roles()).containsExactly(CallerRole.SUBMIT));
  }

  @Test
  void a_field_that_kubernetes_does_not_know_is_found() {
    assertThatThrownBy(() ->
            Manifests.manifest(
                """
                apiVersion: v1
                kind: Service
                spec: {selectors: {a: b}}
                """))
        .isInstanceOf(UnrecognizedPropertyException.class)
        .hasMessageContaining("selectors");
  }

  private static PodTemplateSpec pod(List<HasMetadata> manifests) {
    return manifests.stream()
        .<PodTemplateSpec>flatMap(manifest ->
            switch (manifest) {
              case Deployment deployment -> Stream.of(deployment.getSpec().getTemplate());
              case StatefulSet replicas -> Stream.of(replicas.getSpec().getTemplate());
              default -> Stream.empty();
            })
        .findFirst()
        .orElseThrow();
  }

  private static Container container(List<HasMetadata> manifests) {
    return pod(manifests).getSpec().getContainers().getFirst();
  }

  private static int httpPort(List<HasMetadata> manifests) {
    return container(manifests).getPorts().getFirst().getContainerPort();
  }

  private static Stream<Probe> probes(Container container) {
    return Stream.of(
        container.getStartupProbe(), container.getLivenessProbe(), container.getReadinessProbe());
  }

  /** As in the container, with files in place of secrets. */
  private SettingSources sources(List<HasMetadata> manifests, String file) throws IOException {
    assertThat(container(manifests).getArgs()).contains("/etc/kairos/" + file);
    Path config =
        Files.writeString(
            folder.resolve(file),
            requireNonNull(Manifests.one(manifests, ConfigMap.class).getData().get(file)));
    Path secret = Files.writeString(folder.resolve("secret"), "secret");
    Map<String, String> environment = new HashMap<>();
    for (EnvVar variable : container(manifests).getEnv()) {
      String value = variable.getValue();
      environment.put(
          variable.getName(),
          value == null
              ? "0"
              : value.startsWith("/etc/kairos-secret/") ? secret.toString() : value);
    }
    return SettingSources.of(config, environment, List.of());
  }
}
