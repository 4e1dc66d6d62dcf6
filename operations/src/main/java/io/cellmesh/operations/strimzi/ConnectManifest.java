package io.cellmesh.operations.strimzi;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.StrimziCluster;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.grants.KafkaRole;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The KafkaConnect whose workers run an instance's connectors.
 *
 * @param replicas of the worker
 * @param image that has the plug-ins, or that the build pushes
 * @param plugins that the build puts into the image; none if it has them
 * @param pushSecret with which the build may push
 */
public record ConnectManifest(
    int replicas, String image, List<PluginArchive> plugins, Optional<String> pushSecret) {
  private static final Map<String, String> PROVIDERS =
      Map.of(
          "env", "org.apache.kafka.common.config.provider.EnvVarConfigProvider",
          "file", "org.apache.kafka.common.config.provider.FileConfigProvider",
          "directory", "org.apache.kafka.common.config.provider.DirectoryConfigProvider");

  private static final String BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter";

  public ConnectManifest {
    plugins = List.copyOf(plugins);
    if (replicas < 1) {
      throw OperationException.invalid("replicas: %d is not 1 or more".formatted(replicas));
    }
  }

  /** The resource, for the workers of a data centre. */
  public Manifest of(DataCenter dc, StrimziCluster cluster) {
    var connectors = dc.connectors();
    var secrets = MountedSecrets.of(connectors);
    var manifest =
        Manifest.of(Manifest.STRIMZI, "KafkaConnect", cluster.connect(), cluster)
            .annotated("strimzi.io/use-connector-resources", "true");
    var names = UserManifests.workers(cluster);
    var spec = manifest.spec();
    spec.put("replicas", replicas)
        .put("bootstrapServers", connectors.bootstrap())
        .put("groupId", names.group())
        .put("configStorageTopic", names.others().get(0))
        .put("statusStorageTopic", names.others().get(1))
        .put("offsetStorageTopic", names.offsets());
    security(spec, KafkaSecurity.of(connectors), cluster);
    image(spec);
    config(spec.putObject("config"), secrets);
    metrics(spec, cluster);
    template(spec, secrets, cluster);
    return manifest;
  }

  private static void security(ObjectNode spec, KafkaSecurity security, StrimziCluster cluster) {
    if (security.encrypted()) {
      spec.putObject("tls")
          .putArray("trustedCertificates")
          .addObject()
          .put("secretName", KafkaResource.caSecret(cluster))
          .put("pattern", "*.crt");
    }
    if (security.authenticates()) {
      var user = UserManifests.user(KafkaRole.CONNECT_WORKER);
      var authentication = spec.putObject("authentication").put("type", security.type());
      if (security.byCertificate()) {
        authentication
            .putObject("certificateAndKey")
            .put("secretName", user)
            .put("certificate", "user.crt")
            .put("key", "user.key");
      } else {
        authentication
            .put("username", user)
            .putObject("passwordSecret")
            .put("secretName", user)
            .put("password", "password");
      }
    }
  }

  private void image(ObjectNode spec) {
    if (plugins.isEmpty()) {
      spec.put("image", image);
      return;
    }
    var build = spec.putObject("build");
    var output = build.putObject("output").put("type", "docker").put("image", image);
    pushSecret.ifPresent(secret -> output.put("pushSecret", secret));
    var list = build.putArray("plugins");
    for (var plugin : plugins) {
      list.addObject()
          .put("name", plugin.name())
          .putArray("artifacts")
          .addObject()
          .put("type", plugin.type())
          .put("url", plugin.url())
          .put("sha512sum", plugin.sha512());
    }
  }

  private static void config(ObjectNode config, MountedSecrets secrets) {
    config
        .put("key.converter", BYTES)
        .put("value.converter", BYTES)
        .put("exactly.once.source.support", "enabled")
        // Until offsets are committed, status and verify say that cells are on their way.
        .put("offset.flush.interval.ms", "5000")
        // By default the tasks of a worker that died wait for it for five minutes.
        .put("scheduled.rebalance.max.delay.ms", "0")
        .put("config.storage.replication.factor", "-1")
        .put("offset.storage.replication.factor", "-1")
        .put("status.storage.replication.factor", "-1");
    if (!secrets.providers().isEmpty()) {
      config.put("config.providers", String.join(",", secrets.providers()));
    }
    for (var provider : secrets.providers()) {
      var prefix = "config.providers.%s.".formatted(provider);
      config.put(prefix + "class", PROVIDERS.get(provider));
      if (provider.equals("env")) {
        config.put(prefix + "param.allowlist.pattern", String.join("|", secrets.variables()));
      } else {
        config.put(prefix + "param.allowed.paths", "/mnt");
      }
    }
  }

  private static void metrics(ObjectNode spec, StrimziCluster cluster) {
    var metrics = spec.putObject("metricsConfig").put("type", "jmxPrometheusExporter");
    metrics
        .withObject("/valueFrom/configMapKeyRef")
        .put("name", MonitoringManifests.configMap(cluster))
        .put("key", MonitoringManifests.KEY);
  }

  private static void template(ObjectNode spec, MountedSecrets secrets, StrimziCluster cluster) {
    if (!secrets.mounted().isEmpty()) {
      var volumes = spec.withObject("/template/pod").putArray("volumes");
      var mounts = spec.withObject("/template/connectContainer").putArray("volumeMounts");
      for (var secret : secrets.mounted()) {
        var volume = secret.replace('.', '-');
        volumes.addObject().put("name", volume).putObject("secret").put("secretName", secret);
        mounts.addObject().put("name", volume).put("mountPath", "/mnt/" + secret);
      }
    }
    if (!secrets.variables().isEmpty()) {
      var env = spec.withObject("/template/connectContainer").putArray("env");
      for (var variable : secrets.variables()) {
        env.addObject()
            .put("name", variable)
            .withObject("/valueFrom/secretKeyRef")
            .put("name", cluster.connect() + "-env")
            .put("key", variable);
      }
    }
  }
}
