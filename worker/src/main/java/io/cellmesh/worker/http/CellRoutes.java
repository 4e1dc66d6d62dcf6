package io.cellmesh.worker.http;

import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.storage.CellLookup.Ask;
import io.cellmesh.topics.load.CellInput;
import io.cellmesh.worker.read.Served;
import io.javalin.http.Context;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

/** The routes of single cells and rows. */
final class CellRoutes {
  /** Some white space more than the largest body that is valid. */
  private static final int MOST_BYTES = 2 << 20;

  private final Instances instances;
  private final Call call;
  private final Figures figures;

  CellRoutes(Instances instances, Call call, Figures figures) {
    this.instances = instances;
    this.call = call;
    this.figures = figures;
  }

  void put(Context context) throws InvalidCellException {
    var put = Put.of(context, instances, call.clock());
    var cell = cell(context);
    call.answer(context, put.write(cell, figures).thenApply(WriteAnswer::reply));
  }

  void get(Context context) throws InvalidCellException {
    read(context, new Ask.One(key(context, context.pathParam("ref"))), Parameters.OF_READS);
  }

  void latest(Context context) throws InvalidCellException {
    var known = new HashSet<>(Parameters.OF_READS);
    known.add("at-most");
    var key = key(context, "0");
    OptionalLong atMost = new Parameters(context, call.clock(), known).integer("at-most");
    read(context, new Ask.Latest(key.rowKey(), key.columnName(), atMost), known);
  }

  void row(Context context) throws InvalidCellException {
    var instance = instances.of(context);
    var row = rowKey(context.pathParam("row"));
    var parameters = new Parameters(context, call.clock(), Parameters.OF_READS);
    call.answer(
        context,
        instance
            .read(List.of(new Ask.Row(row)), parameters.terms(instance))
            .thenApply(served -> row(row, served)));
  }

  private void read(Context context, Ask ask, Set<String> known) {
    var instance = instances.of(context);
    var parameters = new Parameters(context, call.clock(), known);
    call.answer(
        context,
        instance
            .read(List.of(ask), parameters.terms(instance))
            .thenApply(
                served -> {
                  var found = served.found().get(0);
                  return found.isEmpty()
                      ? Reply.of(Problem.noSuchCell("there is no such cell"), headers(served))
                      : Reply.ok(headers(served), Envelopes.write(found.get(0)));
                }));
  }

  private static Reply row(UUID row, Served served) {
    var cells = served.found().get(0);
    if (cells.isEmpty()) {
      return Reply.of(Problem.noSuchCell("there is no such row"), headers(served));
    }
    var object = Json.bytes(Map.of("row_key", row.toString()));
    return Reply.ok(headers(served), Json.with(object, "cells", Json.array(cells)));
  }

  /** Whose an answer is and what it may lack. */
  static Map<String, String> headers(Served served) {
    var headers = new LinkedHashMap<String, String>();
    headers.put(Headers.SERVED_BY, served.by());
    served.staleUpTo().ifPresent(seconds -> headers.put(Headers.STALE_UP_TO, seconds));
    return headers;
  }

  private static Cell cell(Context context) throws InvalidCellException {
    var body = Bodies.of(context);
    if (body.length > MOST_BYTES) {
      throw new ProblemException(
          Problem.tooLarge("the body has over %d bytes".formatted(MOST_BYTES)));
    }
    return CellInput.parse(
        context.pathParam("row"),
        context.pathParam("column"),
        context.pathParam("ref"),
        Json.text(body));
  }

  /** By the rules that a cell to be written is held to. */
  private static CellKey key(Context context, String ref) throws InvalidCellException {
    return CellKey.parse(context.pathParam("row"), context.pathParam("column"), ref);
  }

  static UUID rowKey(String text) throws InvalidCellException {
    return CellKey.parseRow(text);
  }
}
