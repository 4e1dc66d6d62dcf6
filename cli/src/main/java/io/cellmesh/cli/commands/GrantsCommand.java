package io.cellmesh.cli.commands;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.operations.IndexFile;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.grants.KafkaRole;
import io.cellmesh.storage.grants.Account;
import io.cellmesh.storage.grants.Grants;
import io.cellmesh.storage.grants.Role;
import io.cellmesh.terminal.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code grants}: what a role may do on MySQL, or on Kafka. */
@Command(
    name = "grants",
    header = "Print what lets a role do its work on MySQL or Kafka, and nothing else.",
    description =
        "For MySQL, SQL; with --kafka, ACLs. The statements run on each cluster's master, after `cellmesh instance create`, and may run "
            + "again. An account that is not there is made locked and without a password; give it one "
            + "with ALTER USER … IDENTIFIED BY … ACCOUNT UNLOCK.")
final class GrantsCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private TopologyTarget target;

  @Option(
      names = "--role",
      required = true,
      split = ",",
      paramLabel = "ROLE",
      description =
          "One or several: sink, source and index for the connectors, reader for whoever gets cells and queries "
              + "indexes and for workers, operator for whoever changes roles, looks at everything and builds indexes, "
              + "replication for the minions. With --kafka no reader and no replication, but also "
              + "index-streams, herb-replicator, trigger and worker, connect-worker for what Connect's "
              + "workers do themselves, producer for whoever writes cells, and consumer for whoever reads the log.")
  private List<String> named;

  @Mixin private KafkaGrantsOptions kafka;

  @Option(
      names = "--index",
      paramLabel = "FILE",
      description =
          "A definition, whose tables are there: --role index writes them, --role operator may drop "
              + "them; may be given several times.")
  private List<Path> indexes = List.of();

  @Option(
      names = "--user",
      paramLabel = "NAME",
      description = "The user of a role (default: cellmesh_ROLE).")
  private Optional<String> user = Optional.empty();

  @Option(
      names = "--host",
      paramLabel = "PATTERN",
      defaultValue = "%",
      description = "Where it signs on from, in MySQL's words (default: %%, from everywhere).")
  private String host;

  @Option(names = "--require-ssl", description = "Let it sign on by TLS alone.")
  private boolean requireSsl;

  @Option(
      names = "--cluster",
      paramLabel = "NAME",
      description = "Only for this storage cluster (default: one after the other).")
  private Optional<String> cluster = Optional.empty();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Write one file a role and cluster into this directory instead.")
  private Optional<Path> out = Optional.empty();

  GrantsCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    if (user.isPresent() && named.size() > 1) {
      throw OperationException.invalid("--user: each of several roles has a user of its own");
    }
    if (kafka.areGiven()) {
      kafka.print(console, target, named, user, out);
      return ExitCodes.OK;
    }
    var roles = named.stream().map(GrantsCommand::role).toList();
    requireIndexes(roles);
    var topology = target.read();
    if (out.isPresent()) {
      Files.createDirectories(out.get());
    }
    for (var role : roles) {
      print(topology, role);
    }
    return ExitCodes.OK;
  }

  private void print(Topology topology, Role role) throws IOException {
    var grants =
        new Grants(topology, takesIndexes(role) ? IndexFile.definitions(indexes) : List.of());
    var account = account(role);
    for (var each : clusters(topology)) {
      var script = script(each, account, grants.of(role, account, each));
      if (out.isPresent()) {
        var file = out.get().resolve("%s-%s.sql".formatted(each.name(), role.text()));
        Files.writeString(file, script);
        console.line(file.toString());
      } else {
        console.line(script.stripTrailing());
      }
    }
  }

  private List<StorageCluster> clusters(Topology topology) {
    return cluster.map(name -> List.of(topology.cluster(name))).orElse(topology.clusters());
  }

  private static Role role(String named) {
    return Arrays.stream(Role.values())
        .filter(role -> role.text().equals(named))
        .findFirst()
        .orElseThrow(
            () ->
                OperationException.invalid(
                    "--role: \"%s\" does nothing on MySQL; those that do are %s%s"
                        .formatted(
                            named,
                            Arrays.stream(Role.values())
                                .map(Role::text)
                                .collect(Collectors.joining(", ")),
                            KafkaRole.of(named).isPresent() ? ", and --kafka knows it" : "")));
  }

  private Account account(Role role) {
    try {
      return new Account(user.orElse(role.user()), host, requireSsl);
    } catch (IllegalArgumentException e) {
      throw OperationException.invalid("--" + e.getMessage());
    }
  }

  private void requireIndexes(List<Role> roles) {
    if (indexes.isEmpty()
        ? roles.contains(Role.INDEX)
        : roles.stream().noneMatch(GrantsCommand::takesIndexes)) {
      throw OperationException.invalid(
          "--index belongs to --role index, which writes the tables of its indexes alone, and to --role operator");
    }
  }

  private static boolean takesIndexes(Role role) {
    return role == Role.INDEX || role == Role.OPERATOR;
  }

  private static String script(StorageCluster cluster, Account account, List<String> statements) {
    return """
        -- %s on %s: run this on its master, %s.
        -- Then, once: ALTER USER %s IDENTIFIED BY '…' ACCOUNT UNLOCK;
        %s;
        """
        .formatted(
            account,
            cluster.name(),
            cluster.master().address(),
            account,
            String.join(";\n", statements));
  }
}
