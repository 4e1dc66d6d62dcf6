package io.cellmesh.operations.strimzi;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.util.StringQuotingChecker;
import io.cellmesh.deployment.StrimziCluster;
import io.cellmesh.operations.OperationException;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A resource of Kubernetes.
 *
 * @param json as the API server takes it
 */
public record Manifest(ObjectNode json) {
  static final String STRIMZI = "kafka.strimzi.io/v1";

  /** Says to which Kafka or KafkaConnect a resource belongs. */
  static final String CLUSTER = "strimzi.io/cluster";

  private static final Pattern NAME =
      Pattern.compile(
          "(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

  private static final ObjectMapper YAML =
      new ObjectMapper(
          YAMLFactory.builder()
              .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
              .enable(YAMLGenerator.Feature.LITERAL_BLOCK_STYLE)
              .enable(YAMLGenerator.Feature.INDENT_ARRAYS_WITH_INDICATOR)
              .disable(YAMLGenerator.Feature.SPLIT_LINES)
              .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
              .stringQuotingChecker(new Quoting())
              .build());

  /** A resource without a specification yet. */
  static Manifest of(String version, String kind, String name, StrimziCluster cluster) {
    if (!NAME.matcher(name).matches()) {
      throw OperationException.invalid(
          "%s %s: Kubernetes takes names of small letters, digits, - and . only; an instance that Strimzi is to run needs such a name, without _"
              .formatted(kind, name));
    }
    var json = JsonNodeFactory.instance.objectNode();
    json.put("apiVersion", version).put("kind", kind);
    var metadata = json.putObject("metadata").put("name", name);
    cluster.namespace().ifPresent(namespace -> metadata.put("namespace", namespace));
    return new Manifest(json);
  }

  Manifest labelled(String label, String value) {
    metadata().withObject("labels").put(label, value);
    return this;
  }

  Manifest annotated(String annotation, String value) {
    metadata().withObject("annotations").put(annotation, value);
    return this;
  }

  ObjectNode metadata() {
    return (ObjectNode) json.required("metadata");
  }

  ObjectNode spec() {
    return json.withObject("/spec");
  }

  public String kind() {
    return json.required("kind").asText();
  }

  public String name() {
    return metadata().required("name").asText();
  }

  /** The resource as one document of YAML, with a line feed at its end. */
  public String yaml() {
    try {
      return YAML.writeValueAsString(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree can always be written", e);
    }
  }

  /** Several as {@code kubectl apply -f} takes them. */
  public static String yaml(List<Manifest> manifests) {
    return manifests.stream().map(Manifest::yaml).collect(Collectors.joining("---\n"));
  }

  /** Quotes whatever a reader of YAML 1.1 or 1.2 could take for something else than a text. */
  private static final class Quoting extends StringQuotingChecker.Default {
    private static final long serialVersionUID = 1L;
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9_./-]*");

    @Override
    public boolean needToQuoteValue(String text) {
      boolean block = text.indexOf('\n') >= 0;
      return !block && (!PLAIN.matcher(text).matches() || super.needToQuoteValue(text));
    }
  }
}
