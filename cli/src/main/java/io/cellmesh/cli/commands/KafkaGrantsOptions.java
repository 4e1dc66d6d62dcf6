package io.cellmesh.cli.commands;

import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.grants.KafkaGrants;
import io.cellmesh.operations.grants.KafkaRole;
import io.cellmesh.operations.grants.WorkerNames;
import io.cellmesh.terminal.Console;
import io.cellmesh.topics.LogShape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** What {@code grants --kafka} prints, and the options that belong to it. */
final class KafkaGrantsOptions {
  /** Leaves out everything that a shell or the tool would read as more than a name. */
  private static final Pattern USER = Pattern.compile("[A-Za-z0-9_.@-]{1,64}");

  @Option(
      names = "--kafka",
      description =
          "Print what the role needs on Kafka, as commands of its own kafka-acls.sh; where the "
              + "brokers are, the deployment says.")
  private boolean asked;

  @Option(
      names = "--command-config",
      paramLabel = "FILE",
      defaultValue = "admin.properties",
      description =
          "With --kafka: the client settings of whoever may change ACLs, for those commands "
              + "(default: ${DEFAULT-VALUE}).")
  private String administrator;

  @Option(
      names = "--worker",
      paramLabel = "FILE",
      description =
          "With --kafka: the properties of a Connect worker, for its group and topics; needed for "
              + "connect-worker, and for source where workers are exactly-once.")
  private Optional<Path> worker = Optional.empty();

  @Option(
      names = "--group",
      paramLabel = "NAME",
      description = "With --kafka --role consumer: its group (default: the user's name).")
  private Optional<String> group = Optional.empty();

  @Option(
      names = "--shard-topics",
      paramLabel = "SHAPE",
      defaultValue = "partition",
      description =
          "With --kafka: the log that the sources write, partition or topic (default: "
              + "${DEFAULT-VALUE}).")
  private LogShape shape;

  boolean areGiven() {
    return asked;
  }

  void print(
      Console console,
      TopologyTarget target,
      List<String> named,
      Optional<String> givenUser,
      Optional<Path> out)
      throws IOException {
    if (target.store().isPresent()) {
      throw OperationException.invalid(
          "--kafka needs --deployment, which says where the brokers are; --topology does not");
    }
    var roles = named.stream().map(KafkaGrantsOptions::role).toList();
    var deployment = target.deployment();
    var names = worker.isPresent() ? Optional.of(WorkerNames.read(worker.get())) : none();
    var grants = new KafkaGrants(deployment, target.of(deployment), shape, names);
    for (var role : roles) {
      print(console, grants, role, givenUser.orElse(role.user()), out);
    }
  }

  static KafkaRole role(String named) {
    return KafkaRole.of(named)
        .orElseThrow(
            () ->
                OperationException.invalid(
                    "--role: \"%s\" does nothing on Kafka; those that do are %s"
                        .formatted(named, KafkaRole.names())));
  }

  private void print(
      Console console, KafkaGrants grants, KafkaRole role, String user, Optional<Path> out)
      throws IOException {
    if (!USER.matcher(user).matches()) {
      throw OperationException.invalid(
          "--user: \"%s\" is not 1 to 64 of letters, digits, _, ., @ and -".formatted(user));
    }
    for (var each : grants.of(role, group.orElse(user))) {
      var script =
          "# What User:%s needs on the brokers of %s\n%s\n"
              .formatted(
                  user, each.dc().name(), String.join("\n", each.commands(user, administrator)));
      if (out.isPresent()) {
        Files.createDirectories(out.get());
        var file = out.get().resolve("%s-%s.sh".formatted(each.dc().name(), role.text()));
        Files.writeString(file, script);
        console.line(file.toString());
      } else {
        console.line(script.stripTrailing());
      }
    }
  }

  private static Optional<WorkerNames> none() {
    return Optional.empty();
  }
}
