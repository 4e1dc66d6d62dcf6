package io.cellmesh.topics.trigger;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/** Where a trigger begins, as whoever created it asked. */
public sealed interface Start {
  /** In words. */
  String text();

  ObjectNode toJson();

  /** The first record that the topic ever had. */
  record Beginning() implements Start {
    @Override
    public String text() {
      return "beginning";
    }

    @Override
    public ObjectNode toJson() {
      return StateFields.object().put("at", "beginning");
    }
  }

  /** Behind the last record that was committed when it was created. */
  record Now() implements Start {
    @Override
    public String text() {
      return "now";
    }

    @Override
    public ObjectNode toJson() {
      return StateFields.object().put("at", "now");
    }
  }

  /** The first record of each partition that is as young as that. */
  record Time(Instant time) implements Start {
    @Override
    public String text() {
      return time.toString();
    }

    @Override
    public ObjectNode toJson() {
      return StateFields.object().put("at", "time").put("time", time.toString());
    }
  }

  /**
   * An offset for each partition.
   *
   * @param offsets by the partition's number
   */
  record Offsets(List<Long> offsets) implements Start {
    public Offsets {
      offsets = List.copyOf(offsets);
    }

    @Override
    public String text() {
      return "offsets " + offsets.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    @Override
    public ObjectNode toJson() {
      var json = StateFields.object().put("at", "offsets");
      var list = json.putArray("offsets");
      offsets.forEach(offset -> list.add(offset.longValue()));
      return json;
    }
  }
}
