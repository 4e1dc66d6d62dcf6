package io.cellmesh.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.TemplateCommand;
import io.cellmesh.stack.StateDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The chart of the applications, in the hands of Helm's own library. */
class ChartTest {
  @TempDir private Path dir;

  @Test
  void helm_finds_nothing_wrong() throws Exception {
    var lint = new Helm(configured()).lint().strict().call();

    assertThat(lint.isFailed()).as(lint.getMessages().toString()).isFalse();
  }

  @Test
  void every_resource_is_of_the_type_that_it_says() throws Exception {
    var resources = Resources.of(template(values()).call());

    assertThat(resources)
        .extracting(r -> r.path("kind").asText() + " " + r.at("/metadata/name").asText())
        .containsExactlyInAnyOrder(
            "ConfigMap trips-files",
            "Service trips-index-streams",
            "StatefulSet trips-index-streams",
            "Deployment trips-herb-replicator",
            "Deployment trips-trigger-billing",
            "Deployment trips-trigger-mails",
            "Service trips-worker",
            "Deployment trips-worker",
            "PodDisruptionBudget trips-worker",
            "HorizontalPodAutoscaler trips-worker",
            "PodMonitor trips");
    for (var resource : resources) {
      assertThat(Resources.typed(resource)).isNotNull();
      var wrong = (ObjectNode) resource.deepCopy();
      wrong.withObject("/metadata").put("lables", "");
      assertThatThrownBy(() -> Resources.typed(wrong)).hasMessageContaining("lables");
    }
  }

  @Test
  void by_default_index_streams_alone_runs_and_needs_no_CRD() throws Exception {
    var values =
        Files.writeString(
            dir.resolve("least.yaml"), "dc: dc1\nfiles: {cellmesh.yaml: 'instance: trips'}\n");

    assertThat(Resources.of(template(values).call()))
        .extracting(r -> r.path("kind").asText())
        .containsExactlyInAnyOrder("ConfigMap", "Service", "StatefulSet");
  }

  @Test
  void a_pod_is_nobody_special_and_writes_only_to_its_volumes() throws Exception {
    for (var pod : pods()) {
      assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
      assertThat(pod.at("/securityContext/runAsUser").asInt()).isEqualTo(10001);
      assertThat(pod.at("/securityContext/seccompProfile/type").asText())
          .isEqualTo("RuntimeDefault");
      assertThat(pod.path("automountServiceAccountToken").asBoolean(true)).isFalse();
      var container = pod.at("/containers/0");
      assertThat(container.at("/securityContext/readOnlyRootFilesystem").asBoolean()).isTrue();
      assertThat(container.at("/securityContext/allowPrivilegeEscalation").asBoolean(true))
          .isFalse();
      assertThat(container.at("/securityContext/capabilities/drop/0").asText()).isEqualTo("ALL");
      assertThat(Resources.mount(container, "files").path("readOnly").asBoolean()).isTrue();
      assertThat(
              Resources.mount(container, "secret-cellmesh-index-streams")
                  .path("mountPath")
                  .asText())
          .isEqualTo("/mnt/cellmesh-index-streams");
    }
  }

  /** The application says 503 for what it mends itself; to be killed for it would not help. */
  @Test
  void a_pod_that_is_not_well_gets_no_work_and_is_not_killed() throws Exception {
    for (var pod : pods()) {
      var container = pod.at("/containers/0");
      boolean worker = container.path("name").asText().equals("worker");
      assertThat(container.at("/readinessProbe/httpGet/path").asText())
          .isEqualTo(worker ? "/readyz" : "/health");
      assertThat(container.at("/livenessProbe/httpGet/path").asText())
          .isEqualTo(worker ? "/healthz" : "/metrics");
      for (var probe : List.of("/readinessProbe", "/livenessProbe")) {
        assertThat(container.at(probe + "/httpGet/port")).isEqualTo(container.at("/ports/0/name"));
      }
      assertThat(container.at("/ports/0/containerPort").asInt()).isEqualTo(8080);
      var of = worker ? "--" : "--health-";
      assertThat(Resources.texts(container.path("args")))
          .containsSubsequence(of + "port", "8080", of + "bind", "0.0.0.0");
    }
  }

  @Test
  void workers_are_reached_by_one_name_and_are_not_all_taken_away_at_once() throws Exception {
    var resources = Resources.of(template(values()).call());
    var worker = Resources.ofKind(resources, "Deployment", "trips-worker");
    assertThat(Resources.texts(Resources.container(worker).path("command")))
        .containsExactly("cellmesh", "worker", "run", "--tokens", "/mnt/worker-tokens/tokens.yaml");
    assertThat(Resources.texts(Resources.container(worker).path("args")))
        .startsWith("--deployment", "/etc/cellmesh/worker.yaml");
    assertThat(
            Resources.mount(Resources.container(worker), "secret-worker-tokens")
                .path("mountPath")
                .asText())
        .isEqualTo("/mnt/worker-tokens");
    var labels = worker.at("/spec/template/metadata/labels");
    var service = Resources.ofKind(resources, "Service", "trips-worker");
    assertThat(service.at("/spec/ports/0/targetPort"))
        .isEqualTo(Resources.container(worker).at("/ports/0/name"));
    assertThat(service.at("/spec/clusterIP").isMissingNode()).isTrue();
    var budget = Resources.ofKind(resources, "PodDisruptionBudget", "trips-worker");
    for (var selector :
        List.of(service.at("/spec/selector"), budget.at("/spec/selector/matchLabels"))) {
      assertThat(selector).isNotEmpty();
      selector
          .properties()
          .forEach(l -> assertThat(labels.get(l.getKey())).isEqualTo(l.getValue()));
    }
    assertThat(budget.at("/spec/maxUnavailable").asInt()).isOne();
  }

  /** Else whoever upgrades would undo what the autoscaler has decided. */
  @Test
  void how_many_workers_there_are_is_said_by_the_values_or_by_the_autoscaler() throws Exception {
    var scaled = Resources.of(template(values()).call());
    assertThat(
            Resources.ofKind(scaled, "Deployment", "trips-worker")
                .at("/spec/replicas")
                .isMissingNode())
        .isTrue();
    var scaler = Resources.find(scaled, "HorizontalPodAutoscaler");
    assertThat(scaler.at("/spec/scaleTargetRef/name").asText()).isEqualTo("trips-worker");
    assertThat(scaler.at("/spec/minReplicas").asInt()).isEqualTo(3);
    assertThat(scaler.at("/spec/maxReplicas").asInt()).isEqualTo(9);

    var fixed = Resources.of(template(values()).set("workers.autoscaling.enabled", "false").call());
    assertThat(Resources.ofKind(fixed, "Deployment", "trips-worker").at("/spec/replicas").asInt())
        .isEqualTo(3);
    assertThat(fixed).noneMatch(r -> r.path("kind").asText().startsWith("Horizontal"));
  }

  @Test
  void each_trigger_is_a_deployment_with_its_own_name_settings_and_share() throws Exception {
    var billing = trigger("billing");
    assertThat(Resources.texts(Resources.container(billing).path("command")))
        .containsExactly(
            "cellmesh",
            "trigger",
            "run",
            "--name",
            "billing",
            "--config",
            "/etc/cellmesh/billing.properties");
    assertThat(Resources.texts(Resources.container(billing).path("args")))
        .startsWith("--deployment", "/etc/cellmesh/cellmesh.yaml");
    assertThat(billing.at("/spec/replicas").asInt(-1)).isOne();
    assertThat(Resources.container(billing).at("/env/0/value").asText()).isEqualTo("-Xmx512m");
    assertThat(Resources.container(billing).at("/resources/limits/memory").asText())
        .isEqualTo("768Mi");

    var mails = trigger("mails");
    assertThat(Resources.texts(Resources.container(mails).path("command")))
        .containsSubsequence("--name", "Mails_EU", "--config", "/etc/cellmesh/mails.properties");
    assertThat(Resources.texts(Resources.container(mails).path("args")))
        .startsWith("--deployment", "/etc/cellmesh/trigger.yaml")
        .endsWith("--threads", "16");
    assertThat(mails.at("/spec/replicas").asInt(-1)).as("nobody is to run it").isZero();
  }

  /** Else two of them would take each other's pods for their own. */
  @Test
  void a_trigger_knows_its_pods_and_prometheus_finds_them() throws Exception {
    var names = new TreeSet<String>();
    var resources = Resources.of(template(values()).call());
    for (var resource : resources) {
      if (resource.path("kind").asText().equals("Deployment")) {
        var selector = resource.at("/spec/selector/matchLabels");
        var labels = resource.at("/spec/template/metadata/labels");
        selector
            .properties()
            .forEach(l -> assertThat(labels.get(l.getKey())).isEqualTo(l.getValue()));
        names.add(selector.path("app.kubernetes.io/name").asText());
        Resources.find(resources, "PodMonitor")
            .at("/spec/selector/matchLabels")
            .properties()
            .forEach(l -> assertThat(labels.get(l.getKey())).isEqualTo(l.getValue()));
        assertThat(Resources.find(resources, "PodMonitor").at("/spec/podMetricsEndpoints"))
            .extracting(endpoint -> endpoint.path("port"))
            .contains(Resources.container(resource).at("/ports/0/name"));
      }
    }
    assertThat(names)
        .containsExactly("herb-replicator", "trigger-billing", "trigger-mails", "worker");
  }

  /** As monitoring/prometheus.yaml calls them; an alert asks for them. */
  @Test
  void prometheus_gets_each_application_as_a_job_of_its_name() throws Exception {
    var resources = Resources.of(template(values()).call());
    var endpoints = Resources.find(resources, "PodMonitor").at("/spec/podMetricsEndpoints");
    assertThat(endpoints)
        .hasSize(2)
        .allMatch(e -> e.path("relabelings").equals(endpoints.at("/0/relabelings")));
    assertThat(endpoints.at("/0/port").asText()).isEqualTo("health");
    assertThat(endpoints.at("/0/authorization").isMissingNode()).isTrue();
    assertThat(endpoints.at("/1/authorization/credentials/name").asText())
        .isEqualTo("worker-metrics");
    var job = endpoints.at("/0/relabelings/0");
    assertThat(job.path("targetLabel").asText()).isEqualTo("job");
    assertThat(Resources.texts(job.path("sourceLabels")))
        .containsExactly("__meta_kubernetes_pod_label_app_kubernetes_io_name");
    var known = Files.readString(StateDirectory.home().resolve("monitoring/prometheus.yaml"));
    var jobs = new TreeSet<String>();
    for (var resource : resources) {
      var name = resource.at("/spec/template/metadata/labels/app.kubernetes.io~1name");
      if (!name.isMissingNode()) {
        jobs.add(
            Pattern.compile(job.path("regex").asText())
                .matcher(name.asText())
                .replaceFirst(job.path("replacement").asText()));
      }
    }
    assertThat(jobs)
        .containsExactly(
            "cellmesh-herb-replicator",
            "cellmesh-index-streams",
            "cellmesh-trigger",
            "cellmesh-worker")
        .allSatisfy(name -> assertThat(known).contains("job_name: " + name + " "));
  }

  @Test
  void the_state_of_index_streams_lies_on_a_volume_of_its_own() throws Exception {
    var set = resource("StatefulSet");
    var container = set.at("/spec/template/spec/containers/0");

    assertThat(Resources.texts(container.path("command")))
        .containsExactly("index-streams", "--state-dir", "/var/lib/cellmesh/state");
    assertThat(Resources.mount(container, "state").path("mountPath").asText())
        .isEqualTo("/var/lib/cellmesh");
    assertThat(set.at("/spec/volumeClaimTemplates/0/metadata/name").asText()).isEqualTo("state");
    assertThat(set.at("/spec/volumeClaimTemplates/0/spec/resources/requests/storage").asText())
        .isEqualTo("20Gi");
  }

  @Test
  void other_files_make_other_pods() throws Exception {
    var checksum = "/spec/template/metadata/annotations/checksum~1files";
    var before = resource("StatefulSet").at(checksum).asText();
    var changed = Files.readString(values()).replace("instance: trips", "instance: rides");
    var after =
        Resources.of(template(Files.writeString(dir.resolve("changed.yaml"), changed)).call());

    assertThat(before).hasSize(64);
    assertThat(Resources.find(after, "StatefulSet").at(checksum).asText()).isNotEqualTo(before);
  }

  @Test
  void a_cohort_is_a_file_whose_changes_need_no_other_pod() throws Exception {
    var values =
        Files.readString(values())
            .replace(
                "herbReplicator: {enabled: true}",
                "herbReplicator: {enabled: true, cohorts: cohorts.yaml}");
    refused(values, "files has no \"cohorts.yaml\"");

    var file = dir.resolve("cohort.yaml");
    var list = values.replace("files:\n", "files:\n  cohorts.yaml: 'instances: %s'\n");
    Files.writeString(file, list.formatted("[]"));
    var before =
        Resources.ofKind(
            Resources.of(template(file).call()), "Deployment", "trips-herb-replicator");
    assertThat(Resources.texts(Resources.container(before).path("args")))
        .startsWith("--cohorts", "/etc/cellmesh/cohorts.yaml", "--health-port")
        .doesNotContain("--deployment", "--dc");
    Files.writeString(file, list.formatted("[{instance: trips}]"));
    assertThat(
            Resources.ofKind(
                Resources.of(template(file).call()), "Deployment", "trips-herb-replicator"))
        .isEqualTo(before);
  }

  @Test
  void what_is_missing_or_misspelt_is_refused_with_its_name() throws Exception {
    refused("files: {cellmesh.yaml: ''}\n", "dc");
    refused("dc: dc1\n", "files");
    refused("dc: dc1\nfiles: {topology.yaml: ''}\n", "files has no \"cellmesh.yaml\"");
    refused("dc: dc1\nfiles: {cellmesh.yaml: ''}\nindexStreams: {replica: 2}\n", "replica");
    var trigger = "dc: dc1\nfiles: {cellmesh.yaml: ''}\ntriggers: ";
    refused("dc: dc1\nfiles: {cellmesh.yaml: ''}\nworkers: {enabled: true}\n", "workers.tokens");
    refused(trigger + "{billing: {}}\n", "config");
    refused(trigger + "{billing: {config: b}}\n", "files has no \"b\"");
    refused(trigger + "{Billing: {config: cellmesh.yaml}}\n", "Billing");
    refused(trigger + "{billing: {config: cellmesh.yaml, url: x}}\n", "url");
    refused(trigger + "{billing: {config: cellmesh.yaml, deployment: d}}\n", "files has no \"d\"");
    var named =
        Files.writeString(dir.resolve("named.yaml"), trigger + "{b: {config: cellmesh.yaml}}\n");
    var long43 = "a-release-whose-name-leaves-too-little-room";
    assertThatThrownBy(() -> template(named).withName(long43).call())
        .hasMessageContaining("is longer than the 52 characters");
  }

  private void refused(String values, String rule) throws Exception {
    var file = Files.writeString(dir.resolve("refused.yaml"), values);
    assertThatThrownBy(() -> template(file).call()).hasMessageContaining(rule);
  }

  private List<JsonNode> pods() throws Exception {
    return Resources.of(template(values()).call()).stream()
        .map(resource -> resource.at("/spec/template/spec"))
        .filter(pod -> pod.has("containers"))
        .toList();
  }

  private JsonNode trigger(String key) throws Exception {
    return Resources.named(Resources.of(template(values()).call()), "trips-trigger-" + key);
  }

  private JsonNode resource(String kind) throws Exception {
    return Resources.find(Resources.of(template(values()).call()), kind);
  }

  private static TemplateCommand template(Path values) {
    return Chart.template().withValuesFile(values);
  }

  /** The chart with what must be said as its own values, since this lint takes no others. */
  private Path configured() throws Exception {
    var copy = dir.resolve(Chart.DIRECTORY.getFileName());
    try (var files = Files.walk(Chart.DIRECTORY)) {
      for (var file : files.toList()) {
        Files.copy(file, copy.resolve(Chart.DIRECTORY.relativize(file).toString()));
      }
    }
    var values = copy.resolve("values.yaml");
    var said =
        Files.readString(values)
            .replace("dc: \"\"", "dc: dc1")
            .replace("files: {}", "files: {cellmesh.yaml: 'instance: trips'}");
    Files.writeString(values, said);
    return copy;
  }

  /** All that the chart can make. */
  private Path values() throws Exception {
    return Files.writeString(
        dir.resolve("values.yaml"),
        """
        dc: dc1
        files:
          cellmesh.yaml: |
            instance: trips
          topology.yaml: |
            shards: 64
          trigger.yaml: ""
          worker.yaml: ""
          billing.properties: columns=BASE
          mails.properties: columns=STATUS
        secrets: [cellmesh-index-streams, kafka-cluster-ca-cert, worker-tokens]
        indexStreams:
          args: [--threads, "2"]
          javaOpts: -Xmx1g
          storage: {size: 20Gi, storageClassName: fast}
        herbReplicator: {enabled: true}
        workers:
          enabled: true
          replicas: 3
          deployment: worker.yaml
          tokens: /mnt/worker-tokens/tokens.yaml
          autoscaling: {enabled: true, maxReplicas: 9}
        triggers:
          billing: {config: billing.properties}
          mails: {name: Mails_EU, config: mails.properties, replicas: 0, deployment: trigger.yaml, args: [--threads, "16"]}
        podMonitor: {enabled: true, labels: {release: prometheus}, workersToken: worker-metrics}
        """);
  }
}
