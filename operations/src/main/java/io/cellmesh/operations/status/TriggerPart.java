package io.cellmesh.operations.status;

import io.cellmesh.operations.trigger.TriggerStatus;
import java.util.ArrayList;
import java.util.Locale;

/** A trigger as a part of the whole: whether it does its work, and how far it is behind. */
final class TriggerPart {
  static final String NAME = "trigger";

  private TriggerPart() {}

  static Part of(String datacenter, TriggerStatus trigger) {
    var said = new ArrayList<String>();
    trigger.pause().ifPresent(pause -> said.add("is paused by " + pause.by()));
    if (!trigger.works()) {
      said.addAll(trigger.findings());
    }
    if (!trigger.members().isEmpty()) {
      said.add(count(trigger.members().size(), "member"));
    }
    said.add(
        "%s (%s s) behind".formatted(count(trigger.lagCells(), "cell"), trigger.lag().toSeconds()));
    if (trigger.parkedRows() > 0) {
      said.add(
          "%s (%s) parked"
              .formatted(count(trigger.parkedRows(), "row"), count(trigger.parkedCells(), "cell")));
    }
    return new Part(
        datacenter, NAME, trigger.name().text(), trigger.works(), String.join(", ", said));
  }

  private static String count(long value, String noun) {
    return String.format(Locale.ROOT, "%,d %s%s", value, noun, value == 1 ? "" : "s");
  }
}
