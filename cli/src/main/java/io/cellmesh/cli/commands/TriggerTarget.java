package io.cellmesh.cli.commands;

import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.trigger.TriggerInspection;
import io.cellmesh.operations.trigger.TriggerRequests;
import io.cellmesh.operations.trigger.TriggerSite;
import io.cellmesh.terminal.Console;
import io.cellmesh.topics.trigger.TriggerName;
import java.io.IOException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The options that say which trigger of which data centre is meant. */
final class TriggerTarget {
  @Mixin private DataCenterTarget target;

  @Parameters(index = "0", paramLabel = "NAME", description = "The trigger's name.")
  private String name;

  /**
   * @throws OperationException if no trigger can be called that
   */
  TriggerName name() {
    try {
      return new TriggerName(name);
    } catch (IllegalArgumentException e) {
      throw OperationException.invalid(e.getMessage());
    }
  }

  TriggerSite site() throws IOException {
    return new TriggerSite(target.datacenter());
  }

  TriggerRequests requests() throws IOException {
    return new TriggerRequests(site(), name(), by());
  }

  /** Whom a trigger's processes see as the one who asked. */
  static String by() {
    return System.getProperty("user.name");
  }

  /** Says so where nobody is there to do what was asked. */
  void remarkIfNobodyRuns(Console console) throws IOException, InterruptedException {
    try (var inspection = new TriggerInspection(site())) {
      if (inspection.of(name()).members().isEmpty()) {
        console.note("no process of %s runs; it is done as soon as one does".formatted(name));
      }
    }
  }
}
