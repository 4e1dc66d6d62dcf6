package io.cellmesh.cli.commands;

import io.cellmesh.operations.trigger.TriggerStatus;
import io.cellmesh.terminal.Texts;
import java.time.Duration;

/** How triggers read. */
final class TriggerText {
  private TriggerText() {}

  /** What it does, or why it does not. */
  static String state(TriggerStatus trigger) {
    if (trigger.pause().isPresent()) {
      return "is paused by " + trigger.pause().get().by();
    }
    var findings = trigger.findings();
    return findings.isEmpty()
        ? "runs"
        : findings.get(0) + (findings.size() == 1 ? "" : ", and more");
  }

  static String columns(TriggerStatus trigger) {
    var columns = trigger.definition().columns();
    return columns.isEmpty() ? "all" : Texts.list(columns);
  }

  /** An age that is worth a word. */
  static String age(Duration lag) {
    return lag.isZero() ? "" : Texts.age(lag.toMillis());
  }
}
