package io.cellmesh.cli.commands;

import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.devstack.CellmeshHome;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.terminal.Console;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code env}: for the plain tools of MySQL and Kafka against a kept stack. */
@Command(
    name = "env",
    header = "Print shell settings for the plain tools of MySQL and Kafka.",
    description = {
      "For `eval \"$(./cellmesh env)\"`. It sets the addresses of a kept stack, such as $DC1_KAFKA, "
          + "$DC1_CONNECT, $DC1_WORKER, $DC1_C1_MASTER and $DC1_C1_MINION (ports), and two functions:",
      "  mysql_at PORT SQL    the mysql client, as root",
      "  kafka_tool CLASS …   a tool of Kafka's own, by its class name"
    })
final class EnvCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private StackTarget target;

  EnvCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    var stack = DevStack.attach(target.directory().path());
    MySqlServer any = null;
    for (var dc : target.directory().open().datacenters()) {
      dc.workers().forEach(worker -> set(dc.name() + "_WORKER", worker.toString()));
    }
    for (var dc : stack.endpoints().dcs()) {
      set(dc.name() + "_KAFKA", dc.kafka());
      set(dc.name() + "_CONNECT", dc.connect());
      for (var cluster : stack.clusters(dc.name())) {
        any = cluster.master();
        set(dc.name() + "_" + cluster.name() + "_MASTER", port(any));
        for (int i = 0; i < cluster.minions().size(); i++) {
          var number = i == 0 ? "" : String.valueOf(i + 1);
          set(
              dc.name() + "_" + cluster.name() + "_MINION" + number,
              port(cluster.minions().get(i)));
        }
      }
    }
    if (any != null) {
      console.line(
          "mysql_at() { port=$1; shift; '%s' -uroot -h127.0.0.1 -P\"$port\" --table -e \"$@\"; }"
              .formatted(any.program("mysql")));
    }
    console.line(
        "kafka_tool() { java -cp '%s/*' -Dlog4j2.configurationFile='%s' \"$@\"; }"
            .formatted(CellmeshHome.kafka(), stack.stateDir().resolve("log4j2-kafka.xml")));
    return ExitCodes.OK;
  }

  private void set(String name, String value) {
    console.line("%s='%s'".formatted(name.toUpperCase(Locale.ROOT), value));
  }

  private static String port(MySqlServer server) {
    return String.valueOf(server.port());
  }
}
