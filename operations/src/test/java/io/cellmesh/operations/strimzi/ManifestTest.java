package io.cellmesh.operations.strimzi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.cellmesh.deployment.StrimziCluster;
import io.cellmesh.operations.OperationException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

class ManifestTest {
  private static final StrimziCluster CLUSTER =
      new StrimziCluster(Optional.of("cells"), "workers", Optional.empty());

  /** A setting is a text, and whoever reads YAML 1.1 (as Kubernetes does) or 1.2 must see one. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "2",
        "-1",
        "1e3",
        "0x1F",
        "0o17",
        "1_000",
        "12:30:00",
        ".5",
        "true",
        "True",
        "on",
        "no",
        "y",
        "null",
        "Null",
        "~",
        "",
        " ",
        "a: b",
        "# a",
        "a #b",
        "${directory:/mnt/a:b}",
        "@x",
        "`x`",
        "{a}",
        "[a]",
        "*a",
        "&a",
        "!a",
        "%a",
        "- a",
        "2026-01-31",
        "2026-01-31T12:00:00Z",
        "'a'",
        "\"a\"",
        "a\nb\n",
        "a\nb",
        " a\n  b\n",
        "a\tb",
        "é",
        "trips\\.log",
        "=",
        "<<"
      })
  void a_text_stays_the_same_text(String text) throws IOException {
    var manifest = Manifest.of("v1", "ConfigMap", "a", CLUSTER);
    manifest.json().putObject("data").put("key", text);

    assertThat(new ObjectMapper(new YAMLFactory()).readTree(manifest.yaml()))
        .isEqualTo(manifest.json());
    assertThat(new Yaml().<Object>load(manifest.yaml()))
        .hasToString(new Yaml().load(manifest.json().toString()).toString())
        .extracting("data.key")
        .isEqualTo(text);
  }

  @Test
  void several_are_documents_of_one_file() {
    var one = Manifest.of("v1", "ConfigMap", "a", CLUSTER);

    assertThat(Manifest.yaml(List.of(one, one)))
        .isEqualTo(
            """
            apiVersion: v1
            kind: ConfigMap
            metadata:
              name: a
              namespace: cells
            ---
            apiVersion: v1
            kind: ConfigMap
            metadata:
              name: a
              namespace: cells
            """);
  }

  @ParameterizedTest
  @ValueSource(strings = {"my_trips-sink", "Trips", "-a", "a-", "a..b", ""})
  void a_name_that_Kubernetes_does_not_take_is_refused(String name) {
    assertThatThrownBy(() -> Manifest.of("v1", "ConfigMap", name, CLUSTER))
        .isInstanceOf(OperationException.class)
        .hasMessageContaining("ConfigMap " + name + ":")
        .hasMessageContaining("small letters, digits, - and .");
  }
}
