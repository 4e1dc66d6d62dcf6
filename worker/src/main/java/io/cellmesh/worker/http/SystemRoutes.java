package io.cellmesh.worker.http;

import io.cellmesh.health.MetricPage;
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
  private final BooleanSupplier ending;
  private final byte[] contract;

  /**
   * @param ending whether the worker is about to end
   */
  SystemRoutes(Instances instances, Figures figures, BooleanSupplier ending) {
    this.instances = instances;
    this.figures = figures;
    this.ending = ending;
    try (var file = SystemRoutes.class.getResourceAsStream(CONTRACT)) {
      this.contract = file.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** It lives; whatever else is wrong, to start it again would mend nothing. */
  void health(Context context) {
    Reply.ok(Map.of(), Json.bytes(state())).send(context);
  }

  void readiness(Context context) {
    var state = state();
    boolean ready = state.get("status").equals("ready");
    new Reply(ready ? 200 : 503, Map.of(), "application/json", Json.bytes(state)).send(context);
  }

  void metrics(Context context) {
    context.contentType(MetricPage.contentType()).result(figures.page(instances));
  }

  void contract(Context context) {
    context.contentType("application/yaml").result(contract);
  }

  private Map<String, Object> state() {
    var all = new TreeMap<String, Object>();
    boolean good = true;
    for (var instance : instances.byName().entrySet()) {
      var trouble = instance.getValue().trouble();
      good &= trouble.isEmpty();
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
