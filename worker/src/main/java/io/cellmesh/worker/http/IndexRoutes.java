package io.cellmesh.worker.http;

import io.cellmesh.storage.index.Condition;
import io.cellmesh.storage.index.Condition.Operator;
import io.cellmesh.storage.index.IndexHit;
import io.cellmesh.storage.index.IndexQuery;
import io.cellmesh.storage.index.RowColumns;
import io.cellmesh.worker.read.IndexReads.ServedPage;
import io.cellmesh.worker.read.Served;
import io.cellmesh.worker.security.Right;
import io.javalin.http.Context;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The route of index pages. */
final class IndexRoutes {
  private static final Set<String> KNOWN =
      Set.of(
          "shard_field",
          "filter",
          "order",
          "fields",
          "columns",
          "limit",
          "cursor",
          "read",
          "deadline");

  private static final Map<String, Operator> OPERATORS =
      Map.of(
          "eq", Operator.EQUAL,
          "ne", Operator.NOT_EQUAL,
          "lt", Operator.LESS,
          "le", Operator.AT_MOST,
          "gt", Operator.GREATER,
          "ge", Operator.AT_LEAST,
          "in", Operator.IN,
          "between", Operator.BETWEEN);

  /** Each costs a statement of up to a page's entries. */
  private static final int MOST_SHARD_VALUES = 50;

  private static final int MOST_FILTERS = 20;
  private static final int MOST_ORDERS = 8;
  private static final int MOST_VALUES = 500;
  private static final int USUAL_LIMIT = 100;
  private static final int MOST_ENTRIES = 1_000;
  private static final String ALL = "*";

  private final Instances instances;
  private final Call call;
  private final Guard guard;

  IndexRoutes(Instances instances, Call call, Guard guard) {
    this.instances = instances;
    this.call = call;
    this.guard = guard;
  }

  void page(Context context) {
    var instance = instances.of(context);
    var parameters = new Parameters(context, call.clock(), KNOWN);
    var query = query(parameters);
    boolean withCells = query.columns().isPresent();
    if (withCells) {
      guard.require(context, Right.READ);
    }
    var page =
        instance.page(
            context.pathParam("name"),
            query,
            parameters.readFrom(),
            parameters.priority(),
            parameters.deadline());
    call.answer(context, page.thenApply(served -> reply(served, withCells)));
  }

  private static IndexQuery query(Parameters parameters) {
    var values = parameters.texts("shard_field", MOST_SHARD_VALUES);
    if (values.isEmpty()) {
      throw Parameters.invalid("shard_field", "", "missing");
    }
    var query = IndexQuery.of(values);
    for (var filter : parameters.texts("filter", MOST_FILTERS)) {
      query = query.where(condition(filter));
    }
    for (var order : parameters.texts("order", MOST_ORDERS)) {
      query = ordered(query, order);
    }
    query = query.limit(limit(parameters));
    var fields = parameters.text("fields");
    if (fields.isPresent()) {
      query = query.select(list("fields", fields.get()));
    }
    var columns = parameters.text("columns");
    if (columns.isPresent()) {
      query = query.withColumns(columns(columns.get()));
    }
    var cursor = parameters.text("cursor");
    return cursor.isPresent() ? query.after(cursor.get()) : query;
  }

  private static Condition condition(String text) {
    var parts = text.split(":", 3);
    var operator = parts.length == 3 ? OPERATORS.get(parts[1]) : null;
    if (operator == null) {
      throw Parameters.invalid(
          "filter",
          text,
          "not FIELD:OPERATOR:VALUE with one of eq, ne, lt, le, gt, ge, in, between");
    }
    return new Condition(
        parts[0],
        operator,
        operator == Operator.IN || operator == Operator.BETWEEN
            ? list("filter", parts[2])
            : List.of(parts[2]));
  }

  private static IndexQuery ordered(IndexQuery query, String text) {
    int colon = text.lastIndexOf(':');
    var direction = text.substring(colon + 1);
    if (colon < 1 || !(direction.equals("asc") || direction.equals("desc"))) {
      throw Parameters.invalid("order", text, "not FIELD:asc or FIELD:desc");
    }
    return query.orderBy(text.substring(0, colon), direction.equals("desc"));
  }

  private static int limit(Parameters parameters) {
    long limit = parameters.integer("limit").orElse(USUAL_LIMIT);
    if (limit < 1 || limit > MOST_ENTRIES) {
      throw Parameters.invalid("limit", Long.toString(limit), "not 1 to " + MOST_ENTRIES);
    }
    return (int) limit;
  }

  private static RowColumns columns(String text) {
    return text.equals(ALL)
        ? RowColumns.LATEST
        : RowColumns.LATEST.named(list("columns", text).toArray(String[]::new));
  }

  private static List<String> list(String name, String text) {
    var values = Arrays.asList(text.split(",", -1));
    if (values.size() > MOST_VALUES) {
      throw Parameters.invalid(name, "", "more than " + MOST_VALUES + " values");
    }
    return values;
  }

  private static Reply reply(ServedPage served, boolean withCells) {
    var entries = served.page().hits().stream().map(hit -> entry(hit, withCells));
    var next = new LinkedHashMap<String, Object>();
    served.page().next().ifPresent(cursor -> next.put("next", cursor));
    return Reply.ok(
        Map.of(
            Headers.SERVED_BY,
            String.join(", ", served.by()),
            // How far an index is behind the cells nobody can tell cheaply.
            Headers.STALE_UP_TO,
            Served.UNKNOWN),
        Json.with(Json.bytes(next), "entries", Json.list(entries)));
  }

  private static byte[] entry(IndexHit hit, boolean withCells) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("row_key", hit.rowKey().toString());
    fields.put("fields", hit.fields());
    var json = Json.bytes(fields);
    return withCells ? Json.with(json, "cells", Json.array(hit.cells())) : json;
  }
}
