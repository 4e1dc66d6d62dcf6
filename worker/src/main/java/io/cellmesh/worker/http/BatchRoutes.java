package io.cellmesh.worker.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.storage.CellLookup.Ask;
import io.cellmesh.topics.load.CellInput;
import io.cellmesh.worker.read.CellReads.Terms;
import io.cellmesh.worker.read.Served;
import io.cellmesh.worker.site.Instance;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The routes of many cells at once, over all shards; one that fails leaves the others alone. */
final class BatchRoutes {
  private static final int MOST = 500;
  private static final Set<String> KEY_FIELDS =
      Set.of("row_key", "column_name", "ref_key", "at_most");

  private final Instances instances;
  private final Call call;
  private final Figures figures;

  BatchRoutes(Instances instances, Call call, Figures figures) {
    this.instances = instances;
    this.call = call;
    this.figures = figures;
  }

  void put(Context context) throws InvalidCellException {
    var put = Put.of(context, instances, call.clock());
    var cells = cells(Bodies.of(context));
    var answers =
        cells.stream()
            .map(
                cell ->
                    begun(() -> put.write(cell, figures))
                        .exceptionally(e -> WriteAnswer.of(Problems.of(e)))
                        .thenApply(answer -> Json.bytes(answer.fields())))
            .toList();
    call.answer(context, all(answers));
  }

  void get(Context context) throws InvalidCellException {
    var instance = instances.of(context);
    var parameters = new Parameters(context, call.clock(), Parameters.OF_READS);
    var terms = parameters.terms(instance);
    var asks = asks(Bodies.of(context));
    var byCluster = new TreeMap<String, List<Integer>>();
    for (int i = 0; i < asks.size(); i++) {
      byCluster
          .computeIfAbsent(instance.clusterOf(asks.get(i).rowKey()), name -> new ArrayList<>())
          .add(i);
    }
    var results = new ArrayList<CompletableFuture<byte[]>>();
    asks.forEach(ask -> results.add(new CompletableFuture<>()));
    byCluster.values().forEach(places -> read(instance, asks, places, terms, results));
    call.answer(context, all(results));
  }

  /** Reads those of one cluster, and puts each result into its place. */
  private void read(
      Instance instance,
      List<Ask> asks,
      List<Integer> places,
      Terms terms,
      List<CompletableFuture<byte[]>> results) {
    begun(() -> instance.read(places.stream().map(asks::get).toList(), terms))
        .whenCompleteAsync(
            (served, e) -> {
              for (int i = 0; i < places.size(); i++) {
                results
                    .get(places.get(i))
                    .complete(e == null ? result(served, i) : result(Problems.of(e), Map.of()));
              }
            },
            call.answers())
        .exceptionally(
            e -> {
              // Whatever it is, such as memory that is short: those without a result have none.
              places.forEach(place -> results.get(place).completeExceptionally(e));
              return null;
            });
  }

  private static byte[] result(Served served, int number) {
    var cells = served.found().get(number);
    var about = new LinkedHashMap<String, Object>();
    about.put("served_by", served.by());
    served.staleUpTo().ifPresent(seconds -> about.put("stale_up_to", seconds));
    if (cells.isEmpty()) {
      return result(Problem.noSuchCell("there is no such cell"), about);
    }
    var fields = new LinkedHashMap<String, Object>();
    fields.put("status", 200);
    fields.putAll(about);
    try {
      return Json.with(Json.bytes(fields), "cells", Json.array(cells));
    } catch (RuntimeException e) {
      // Also of a cell that is damaged: it fails alone.
      return result(Problems.of(e), about);
    }
  }

  private static byte[] result(Problem problem, Map<String, Object> about) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("status", problem.status());
    fields.putAll(about);
    fields.put("problem", problem.fields());
    return Json.bytes(fields);
  }

  private static CompletableFuture<Reply> all(List<CompletableFuture<byte[]>> results) {
    return CompletableFuture.allOf(results.toArray(CompletableFuture[]::new))
        .thenApply(
            done -> {
              var list = Json.list(results.stream().map(CompletableFuture::join));
              return Reply.ok(Map.of(), Json.with(Json.bytes(Map.of()), "results", list));
            });
  }

  /** What is refused at once is a failure like any other. */
  private static <T> CompletableFuture<T> begun(Supplier<CompletableFuture<T>> work) {
    try {
      return work.get();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private static List<Cell> cells(byte[] json) {
    var cells = new ArrayList<Cell>();
    for (var element : Json.elements(json, "cells", MOST)) {
      var rowKey = Json.tree(element).path("row_key").asText();
      cells.add(named("cells", cells.size(), () -> CellInput.parse(rowKey, element)));
    }
    return cells;
  }

  private static List<Ask> asks(byte[] json) {
    var asks = new ArrayList<Ask>();
    for (var element : Json.elements(json, "keys", MOST)) {
      asks.add(named("keys", asks.size(), () -> ask(Json.tree(element))));
    }
    return asks;
  }

  private static Ask ask(JsonNode key) throws InvalidCellException {
    key.fieldNames()
        .forEachRemaining(
            name -> {
              if (!KEY_FIELDS.contains(name)) {
                throw Parameters.invalid(
                    name, "", "unknown field; known are row_key, column_name, ref_key, at_most");
              }
            });
    var rowKey = CellRoutes.rowKey(text(key, "row_key"));
    if (!key.has("column_name")) {
      requireNone(key, "ref_key");
      requireNone(key, "at_most");
      return new Ask.Row(rowKey);
    }
    var column = text(key, "column_name");
    if (!key.has("ref_key")) {
      CellInput.parse(rowKey.toString(), column, "0", "null");
      var atMost =
          key.has("at_most") ? OptionalLong.of(integer(key, "at_most")) : OptionalLong.empty();
      return new Ask.Latest(rowKey, column, atMost);
    }
    requireNone(key, "at_most");
    var ref = Long.toString(integer(key, "ref_key"));
    return new Ask.One(CellInput.parse(rowKey.toString(), column, ref, "null").key());
  }

  private static void requireNone(JsonNode key, String field) {
    if (key.has(field)) {
      throw Parameters.invalid(field, "", "does not go with the other fields");
    }
  }

  private static String text(JsonNode key, String field) {
    var value = key.path(field);
    if (!value.isTextual()) {
      throw Parameters.invalid(field, "", "must be a string");
    }
    return value.textValue();
  }

  private static long integer(JsonNode key, String field) {
    var value = key.path(field);
    if (!value.isIntegralNumber() || !value.canConvertToLong()) {
      throw Parameters.invalid(field, "", "must be a signed 64-bit integer");
    }
    return value.longValue();
  }

  /** Says which element a problem is of. */
  private static <T> T named(String list, int number, Reading<T> reading) {
    try {
      return reading.read();
    } catch (InvalidCellException | ProblemException e) {
      var problem = Problems.of(e);
      throw new ProblemException(
          Problem.invalid(
              "%s[%d].%s".formatted(list, number, problem.more().get("field")),
              "%s[%d]: %s".formatted(list, number, problem.detail()),
              String.valueOf(problem.more().get("rule"))));
    }
  }

  @FunctionalInterface
  private interface Reading<T> {
    T read() throws InvalidCellException;
  }
}
