package io.cellmesh.deploy;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.openshift.api.model.monitoring.v1.PodMonitor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

/** YAML of several documents, and the types of Kubernetes that it must be of. */
final class Resources {
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  /** Of the API's own description; properties that it does not know are faults. */
  private static final ObjectMapper STRICT =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .annotationIntrospector(new Strict())
          .build();

  private static final Map<String, Class<?>> TYPES =
      Map.of(
          "v1/ConfigMap", ConfigMap.class,
          "v1/Service", Service.class,
          "apps/v1/Deployment", Deployment.class,
          "apps/v1/StatefulSet", StatefulSet.class,
          "autoscaling/v2/HorizontalPodAutoscaler", HorizontalPodAutoscaler.class,
          "networking.k8s.io/v1/NetworkPolicy", NetworkPolicy.class,
          "policy/v1/PodDisruptionBudget", PodDisruptionBudget.class,
          "monitoring.coreos.com/v1/PodMonitor", PodMonitor.class);

  private Resources() {}

  static List<JsonNode> of(String yaml) {
    try (var documents = YAML.readerFor(JsonNode.class).<JsonNode>readValues(yaml)) {
      return documents.readAll().stream().filter(JsonNode::isObject).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads a resource as the type that it says it is. */
  static Object typed(JsonNode resource) throws IOException {
    var name = resource.path("apiVersion").asText() + "/" + resource.path("kind").asText();
    var type = TYPES.get(name);
    if (type == null) {
      throw new IllegalArgumentException("no resource of type " + name + " is expected");
    }
    return STRICT.treeToValue(resource, type);
  }

  /** The types would keep what they do not know. */
  private static final class Strict extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1L;

    @Override
    public Boolean hasAnySetter(Annotated annotated) {
      return false;
    }
  }

  static JsonNode ofKind(List<JsonNode> resources, String kind, String name) {
    return named(
        resources.stream().filter(r -> r.path("kind").asText().equals(kind)).toList(), name);
  }

  static JsonNode named(List<JsonNode> resources, String name) {
    return resources.stream()
        .filter(r -> r.at("/metadata/name").asText().equals(name))
        .findFirst()
        .orElseThrow();
  }

  static JsonNode container(JsonNode workload) {
    return workload.at("/spec/template/spec/containers/0");
  }

  static JsonNode find(List<JsonNode> resources, String kind) {
    return resources.stream()
        .filter(r -> r.path("kind").asText().equals(kind))
        .findFirst()
        .orElseThrow();
  }

  static JsonNode mount(JsonNode container, String name) {
    return StreamSupport.stream(container.path("volumeMounts").spliterator(), false)
        .filter(mount -> mount.path("name").asText().equals(name))
        .findFirst()
        .orElseThrow();
  }

  static List<String> texts(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).map(JsonNode::asText).toList();
  }
}
