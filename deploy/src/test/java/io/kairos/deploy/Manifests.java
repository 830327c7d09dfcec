package io.kairos.deploy;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.openshift.api.model.monitoring.v1.ServiceMonitor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The files of a folder, read by the types of a Kubernetes client. These types keep a field that
 * they do not know, as an API server does by default; here such a field is refused.
 */
final class Manifests {
  private static final Map<String, Class<? extends HasMetadata>> KINDS =
      Map.of(
          "v1 ConfigMap", ConfigMap.class,
          "v1 Service", Service.class,
          "v1 ServiceAccount", ServiceAccount.class,
          "apps/v1 Deployment", Deployment.class,
          "apps/v1 StatefulSet", StatefulSet.class,
          "networking.k8s.io/v1 NetworkPolicy", NetworkPolicy.class,
          "policy/v1 PodDisruptionBudget", PodDisruptionBudget.class,
          "monitoring.coreos.com/v1 ServiceMonitor", ServiceMonitor.class);

  private static final YAMLMapper STRICT =
      YAMLMapper.builder(new YAMLFactory())
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .annotationIntrospector(
              new JacksonAnnotationIntrospector() {
                private static final long serialVersionUID = 1L;

                @Override
                public Boolean hasAnySetter(Annotated annotated) {
                  return false;
                }
              })
          .build();

  private Manifests() {}

  /** Reads text as a value of a type, and refuses what the type does not have. */
  static <T> T strictly(String yaml, Class<T> type) throws IOException {
    return STRICT.readValue(yaml, type);
  }

  /** Reads a manifest by the type of its kind. */
  static HasMetadata manifest(String yaml) throws IOException {
    JsonNode tree = STRICT.readTree(yaml);
    String kind = tree.path("apiVersion").asText() + " " + tree.path("kind").asText();
    return strictly(yaml, requireNonNull(KINDS.get(kind), () -> "no type for " + kind));
  }

  /** The names of the manifests of a folder. */
  static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> name.endsWith(".yaml") && !name.equals("kustomization.yaml"))
          .sorted()
          .toList();
    }
  }

  static List<HasMetadata> all(Path folder) throws IOException {
    return names(folder).stream()
        .map(name -> {
          try {
            return manifest(Files.readString(folder.resolve(name)));
          } catch (IOException e) {
            throw new UncheckedIOException(folder.resolve(name).toString(), e);
          }
        })
        .toList();
  }

  static <T> T one(List<HasMetadata> manifests, Class<T> type) {
    return manifests.stream().filter(type::isInstance).map(type::cast).findFirst().orElseThrow();
  }
}
