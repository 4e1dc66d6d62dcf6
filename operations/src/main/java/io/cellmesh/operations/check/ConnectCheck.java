package io.cellmesh.operations.check;

import io.cellmesh.connect.client.ConnectClient;
import io.cellmesh.connect.client.ConnectClientException;
import io.cellmesh.connect.client.ConnectorTemplate.Connector;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.ConnectClients;
import io.cellmesh.operations.check.Finding.Mark;
import io.cellmesh.operations.connectors.InstanceConnectors;
import io.cellmesh.storage.index.IndexVersion;
import io.cellmesh.topics.LogShape;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * A Connect worker and what it says of the connectors' configurations: it resolves their secrets
 * and signs on with them, as nobody else can.
 */
final class ConnectCheck {
  private static final int UNAUTHORIZED = 401;

  private final DataCenter dc;
  private final List<IndexVersion> indexes;
  private final Optional<Path> templates;

  /**
   * @param templates empty if the deployment does not say how connectors sign on
   */
  ConnectCheck(DataCenter dc, List<IndexVersion> indexes, Optional<Path> templates) {
    this.dc = dc;
    this.indexes = indexes;
    this.templates = templates;
  }

  void run(Consumer<Finding> tell) {
    var client = ConnectClients.of(dc);
    try {
      var installed = installed(client);
      tell.accept(finding(Mark.GOOD, "answers"));
      if (templates.isPresent()) {
        for (var connector : connectors(templates.get())) {
          if (installed.contains(connector.connectorClass())) {
            validate(client, connector, tell);
          } else {
            tell.accept(
                finding(
                    Mark.WRONG,
                    "has no %s; unpack our archives into its plugin.path and restart it"
                        .formatted(connector.connectorClass())));
          }
        }
      }
    } catch (ConnectClientException e) {
      tell.accept(finding(Mark.WRONG, text(e)));
    }
  }

  private static String text(ConnectClientException e) {
    int status = e.status().orElse(0);
    if (status == UNAUTHORIZED) {
      return "does not take the user and the password; correct `connect` in the deployment";
    }
    if (status == 0) {
      return e.somebodyIsThere()
          ? e.getMessage()
              + "; is `truststore` in the deployment right, and has no certificate expired?"
          : "does not answer: %s; is it up, and is its address right?".formatted(e.getMessage());
    }
    return e.getMessage();
  }

  private static TreeSet<String> installed(ConnectClient client) {
    return StreamSupport.stream(client.plugins().spliterator(), false)
        .map(plugin -> plugin.path("class").asText())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private List<Connector> connectors(Path directory) {
    var passes =
        indexes.stream()
            .filter(index -> index.state() != IndexVersion.State.DROPPING)
            .collect(Collectors.groupingBy(IndexVersion::pass));
    var connectors = new ArrayList<Connector>();
    try {
      connectors.addAll(new InstanceConnectors(dc.topology(), dc.connectors()).render(directory));
      for (var pass : passes.entrySet()) {
        var definitions = pass.getValue().stream().map(IndexVersion::definition).toList();
        new InstanceConnectors(
                dc.topology(), dc.connectors(), pass.getKey(), definitions, LogShape.PARTITION)
            .render(directory).stream()
                .filter(c -> c.connectorClass().endsWith(".IndexSinkConnector"))
                .forEach(connectors::add);
      }
      return connectors;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void validate(ConnectClient client, Connector connector, Consumer<Finding> tell) {
    var config = new HashMap<>(connector.config());
    config.put("name", connector.name());
    var wrong = client.validate(config);
    if (wrong.isEmpty()) {
      tell.accept(finding(Mark.GOOD, connector.name() + " can run there"));
    }
    wrong.forEach(
        (setting, messages) ->
            messages.forEach(
                message ->
                    tell.accept(
                        finding(Mark.WRONG, "%s: %s".formatted(connector.name(), message)))));
  }

  private Finding finding(Mark mark, String text) {
    return new Finding(dc.name(), "connect " + dc.connect().url(), mark, text);
  }
}
