package io.cellmesh.operations.trigger;

import io.cellmesh.topics.trigger.Definition;
import io.cellmesh.topics.trigger.Reason;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;

/** How triggers read for machines. */
public final class TriggerDocument {
  private TriggerDocument() {}

  /** Everything but the partitions. */
  public static Map<String, Object> json(String datacenter, TriggerStatus trigger) {
    var json = new LinkedHashMap<String, Object>();
    json.put("datacenter", datacenter);
    json.put("trigger", trigger.name().text());
    json.put("topic", trigger.definition().topic());
    json.put("columns", trigger.definition().columns());
    json.put("order", Definition.text(trigger.definition().order()));
    json.put("start", trigger.definition().start().text());
    json.put("created_at", trigger.createdAt().toString());
    json.put("works", trigger.works());
    json.put("findings", trigger.findings());
    trigger
        .pause()
        .ifPresent(
            pause -> json.put("paused", Map.of("by", pause.by(), "at", pause.at().toString())));
    json.put("members", trigger.members());
    json.put("lag_cells", trigger.lagCells());
    json.put("lag_seconds", trigger.lag().toMillis() / 1e3);
    json.put("parked_rows", trigger.parkedRows());
    json.put("parked_cells", trigger.parkedCells());
    json.put("requests", trigger.requests());
    var halted = new ArrayList<Map<String, Object>>();
    for (var halt : trigger.halted()) {
      var each = new LinkedHashMap<String, Object>();
      each.put("member", halt.member());
      each.put("at", halt.at().toString());
      halt.reason().ifPresent(reason -> each.put("reason", json(reason)));
      halted.add(each);
    }
    json.put("halted", halted);
    return json;
  }

  /** Where it stands in a partition. */
  public static Map<String, Object> json(PartitionStatus partition) {
    var json = new LinkedHashMap<String, Object>();
    json.put("partition", partition.partition());
    json.put("begun", partition.begun());
    partition.next().ifPresent(next -> json.put("next", next));
    json.put("first", partition.place().begin());
    json.put("end", partition.place().end());
    json.put("lag_cells", partition.lagCells());
    json.put("lag_seconds", partition.lag().toMillis() / 1e3);
    json.put("parked_rows", partition.parkedRows());
    json.put("parked_cells", partition.parkedCells());
    json.put("requests", partition.requests());
    partition.finding().ifPresent(finding -> json.put("finding", finding));
    return json;
  }

  /** Why a callback failed. */
  public static Map<String, Object> json(Reason reason) {
    var json = new LinkedHashMap<String, Object>();
    json.put("class", reason.type());
    json.put("message", reason.message());
    return json;
  }
}
