package io.cellmesh.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import io.strimzi.api.kafka.model.connect.KafkaConnect;
import io.strimzi.api.kafka.model.connector.KafkaConnector;
import io.strimzi.api.kafka.model.topic.KafkaTopic;
import io.strimzi.api.kafka.model.user.KafkaUser;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The CustomResourceDefinitions of Strimzi, made by its own generator of its own classes as its
 * release makes them.
 */
final class Crds {
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final Path DIRECTORY = Path.of("target", "strimzi").toAbsolutePath();

  private static final List<Class<?>> KINDS =
      List.of(KafkaConnector.class, KafkaConnect.class, KafkaUser.class, KafkaTopic.class);

  private final Map<String, JsonSchema> schemas = new HashMap<>();

  private Crds() {}

  /** Runs the generator, which wants a process of its own to end. */
  static Crds generate() throws Exception {
    var generator = DIRECTORY.resolve("crd-generator.jar");
    var classes =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                classes + File.pathSeparator + generator,
                "io.strimzi.crdgenerator.CrdGenerator"));
    command.addAll(List.of("--yaml", "--target-kube", "1.27+", "--crd-api-version", "v1"));
    command.addAll(List.of("--api-versions", "v1", "--storage-version", "v1"));
    for (var kind : KINDS) {
      command.add(kind.getName() + "=" + file(kind.getSimpleName()));
    }
    var log = DIRECTORY.resolve("generator.log").toFile();
    var process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log).start();
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(log.toPath())).isZero();
    var crds = new Crds();
    for (var kind : KINDS) {
      crds.read(kind.getSimpleName());
    }
    return crds;
  }

  /** What a resource breaks of its definition; a property that it does not know is one of that. */
  List<String> faults(JsonNode resource) {
    assertThat(resource.path("apiVersion").asText()).isEqualTo("kafka.strimzi.io/v1");
    var schema = schemas.get(resource.path("kind").asText());
    assertThat(schema).as(resource.path("kind").asText()).isNotNull();
    return schema.validate(resource).stream().map(Object::toString).toList();
  }

  private static Path file(String kind) {
    return DIRECTORY.resolve(kind + ".yaml");
  }

  private void read(String kind) throws IOException {
    for (var version : YAML.readTree(file(kind).toFile()).at("/spec/versions")) {
      if (version.path("name").asText().equals("v1")) {
        var schema = version.at("/schema/openAPIV3Schema");
        close(schema);
        schemas.put(kind, JsonSchemaFactory.getInstance(VersionFlag.V4).getSchema(schema));
      }
    }
  }

  /**
   * An API server drops what the definition does not know; kubectl refuses it, and so does this.
   */
  private static void close(JsonNode schema) {
    schema.forEach(Crds::close);
    boolean open =
        schema.path("x-kubernetes-preserve-unknown-fields").asBoolean()
            || schema.has("additionalProperties");
    if (schema.path("properties").isObject()
        && schema.path("type").asText().equals("object")
        && !open) {
      ((ObjectNode) schema).put("additionalProperties", false);
    }
  }
}
