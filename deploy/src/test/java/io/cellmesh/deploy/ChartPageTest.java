package io.cellmesh.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.marcnuri.helm.TemplateCommand;
import io.cellmesh.stack.StateDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the page has people type, in the hands of Helm's own library. */
class ChartPageTest {
  /** As a shell reads them. */
  private static final Pattern SAID =
      Pattern.compile(
          "(?<= )--set(?<file>-file)? '?(?<key>[^=' ]+)=(?<value>[^' \\n]+)'?(?=[ \\n])");

  @TempDir private Path dir;

  @Test
  void the_command_of_the_page_makes_pods_that_find_their_files() throws Exception {
    var page = Files.readString(StateDirectory.home().resolve("docs/strimzi.md"));
    var example = StateDirectory.home().resolve("deploy/strimzi");
    var template = Chart.template();
    for (var file : List.of("cellmesh.yaml", "topology.yaml", "operator.properties")) {
      var text = Files.readString(example.resolve(file));
      Files.writeString(
          dir.resolve(
              file.replace("cellmesh", "index-streams").replace("operator", "index-streams")),
          text.replace("operator.properties", "index-streams.properties")
              .replace("cellmesh-operator", "cellmesh-index-streams"));
    }
    setAsSaid(template, page, "helm install trips");

    var resources = Resources.of(template.call());
    var files = Resources.find(resources, "ConfigMap").path("data");
    assertThat(files.path("cellmesh.yaml").asText()).contains("config: index-streams.properties");
    assertThat(files.path("index-streams.properties").asText())
        .contains("${directory:/mnt/cellmesh-index-streams:sasl.jaas.config}");
    assertThat(files.path("topology.yaml").asText()).contains("instance: trips");
    var container = Resources.find(resources, "StatefulSet").at("/spec/template/spec/containers/0");
    assertThat(container.path("image").asText())
        .isEqualTo("registry.example.com/cellmesh-apps:0.1.0");
    for (var secret : List.of("cellmesh-index-streams", "kafka-cluster-ca-cert")) {
      assertThat(Resources.mount(container, "secret-" + secret).path("mountPath").asText())
          .isEqualTo("/mnt/" + secret);
    }
  }

  @Test
  void the_page_adds_a_trigger_whose_pods_find_what_its_files_refer_to() throws Exception {
    var page = Files.readString(StateDirectory.home().resolve("docs/strimzi.md"));
    var template = Chart.template();
    writeExample("index-streams", "trigger");
    int settings = page.indexOf("# billing.properties");
    var billing = page.substring(settings, page.indexOf("```", settings));
    Files.writeString(dir.resolve("billing.properties"), billing);
    setAsSaid(template, page, "helm install trips");
    setAsSaid(template, page.substring(page.indexOf("\n## Triggers")), "helm upgrade trips");

    var resources = Resources.of(template.call());
    var container = Resources.container(Resources.named(resources, "trips-trigger-billing"));
    var files = Resources.find(resources, "ConfigMap").path("data");
    assertThat(Resources.texts(container.path("args"))).contains("/etc/cellmesh/trigger.yaml");
    assertThat(files.path("trigger.yaml").asText()).contains("config: trigger.properties");
    assertThat(files.path("billing.properties").asText()).isEqualTo(billing);
    assertThat(referred(billing + files.path("trigger.properties").asText()))
        .contains("billing", "cellmesh-trigger")
        .allSatisfy(secret -> assertMounted(container, secret));
  }

  @Test
  void the_page_adds_workers_whose_pods_find_what_their_files_refer_to() throws Exception {
    var page = Files.readString(StateDirectory.home().resolve("docs/strimzi.md"));
    var template = Chart.template();
    writeExample("index-streams", "worker");
    var deployment = Files.readString(dir.resolve("worker.yaml"));
    Files.writeString(
        dir.resolve("worker.yaml"), deployment.replace("cellmesh-mysql", "cellmesh-mysql-reader"));
    setAsSaid(template, page, "helm install trips");
    setAsSaid(template, page.substring(page.indexOf("\n## Workers")), "helm upgrade trips");

    var resources = Resources.of(template.call());
    var container = Resources.container(Resources.ofKind(resources, "Deployment", "trips-worker"));
    var files = Resources.find(resources, "ConfigMap").path("data");
    assertThat(Resources.texts(container.path("args"))).contains("/etc/cellmesh/worker.yaml");
    assertThat(files.path("worker.yaml").asText()).contains("config: worker.properties");
    // What connectors refer to the workers of Connect resolve.
    var own = files.path("worker.yaml").asText().replaceFirst("(?s)\n    connectors:.*", "\n");
    assertThat(
            referred(
                own
                    + files.path("worker.properties").asText()
                    + Resources.texts(container.path("command"))))
        .contains("cellmesh-mysql-reader", "cellmesh-worker", "cellmesh-worker-tokens")
        .allSatisfy(secret -> assertMounted(container, secret));
  }

  /** The example's files as the page makes those of a role of them. */
  private void writeExample(String... roles) throws Exception {
    var example = StateDirectory.home().resolve("deploy/strimzi");
    for (var role : roles) {
      Files.writeString(
          dir.resolve(role + ".yaml"),
          Files.readString(example.resolve("cellmesh.yaml"))
              .replace("operator.properties", role + ".properties"));
      Files.writeString(
          dir.resolve(role + ".properties"),
          Files.readString(example.resolve("operator.properties"))
              .replace("cellmesh-operator", "cellmesh-" + role));
    }
    Files.copy(example.resolve("topology.yaml"), dir.resolve("topology.yaml"));
  }

  /** The Secrets of a text's references. */
  private static List<String> referred(String text) {
    return Pattern.compile("/mnt/([a-z-]+)")
        .matcher(text)
        .results()
        .map(reference -> reference.group(1))
        .toList();
  }

  private static void assertMounted(JsonNode container, String secret) {
    assertThat(Resources.mount(container, "secret-" + secret).path("mountPath").asText())
        .isEqualTo("/mnt/" + secret);
  }

  /** Sets what the page's command says, up to the command's end. */
  private void setAsSaid(TemplateCommand template, String page, String command) {
    int from = page.indexOf(command);
    var end = Pattern.compile("[^\\\\]\n").matcher(page);
    assertThat(end.find(from)).isTrue();
    var said = SAID.matcher(page.substring(from, end.end()));
    while (said.find()) {
      set(template, said);
    }
  }

  /** The library takes values literally, so what the program makes of braces is done here. */
  private void set(TemplateCommand template, Matcher said) {
    var key = said.group("key");
    var value = said.group("value");
    if (said.group("file") != null) {
      template.setFile(key, dir.resolve(value));
    } else if (value.startsWith("{")) {
      var items = value.substring(1, value.length() - 1).split(",");
      for (int i = 0; i < items.length; i++) {
        template.set("%s[%d]".formatted(key, i), items[i]);
      }
    } else {
      template.set(key, value);
    }
  }
}
