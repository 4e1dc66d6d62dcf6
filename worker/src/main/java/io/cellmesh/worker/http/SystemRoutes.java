package io.cellmesh.worker.http;

import io.cellmesh.health.MetricPage;
import io.cellmesh.worker.security.Door;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/** The routes by which a worker says how it is and what it can do. */
final class SystemRoutes {
  private static final String CONTRACT = "/openapi.yaml";

  private final Instances instances;
  private final Figures figures;
  private final Door door;
  private final BooleanSupplier ending;
  private final byte[] contract;

  /**
   * @param ending whether the worker is about to end
   */
  SystemRoutes(Instances instances, Figures figures, Door door, BooleanSupplier ending) {
    this.instances = instances;
    this.figures = figures;
    this.door = door;
    this.ending = ending;
    try (var file = SystemRoutes.class.getResourceAsStream(CONTRACT)) {
      this.contract = file.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** It lives; whatever else is wrong, to start it again would mend nothing. */
  void health(Context context) {
    Reply.ok(Map.of(), Json.bytes(state(context))).send(context);
  }

  void readiness(Context context) {
    var state = state(context);
    boolean ready = state.get("status").equals("ready");
    new Reply(ready ? 200 : 503, Map.of(), "application/json", Json.bytes(state)).send(context);
  }

  void metrics(Context context) {
    context.contentType(MetricPage.contentType()).result(figures.page(seen(context), door.fresh()));
  }

  void contract(Context context) {
    context.contentType("application/yaml").result(contract);
  }

  private Instances seen(Context context) {
    return instances.seenBy(Trace.of(context).caller());
  }

  /** Whether all is well, and of the instances whose state the caller may see more than that. */
  private Map<String, Object> state(Context context) {
    var all = new TreeMap<String, Object>();
    boolean good =
        instances.byName().values().stream().allMatch(instance -> instance.trouble().isEmpty());
    for (var instance : seen(context).byName().entrySet()) {
      var trouble = instance.getValue().trouble();
      var fields = new LinkedHashMap<String, Object>();
      fields.put("datacenter", instance.getValue().topology().datacenter());
      fields.put("ready", trouble.isEmpty());
      trouble.ifPresent(why -> fields.put("why", why));
      fields.put("servers", instance.getValue().healthy());
      all.put(instance.getKey(), fields);
    }
    var state = new LinkedHashMap<String, Object>();
    state.put("status", ending.getAsBoolean() ? "ending" : good ? "ready" : "not ready");
    state.put("instances", all);
    return state;
  }
}
