package io.cellmesh.client;

import io.cellmesh.cell.Names;
import io.cellmesh.cell.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** A question to an index, for a page of its entries. Immutable; each method gives a new one. */
public final class IndexQuery {
  private static final String ALL_COLUMNS = "*";

  private final String index;
  private final Query query;

  private IndexQuery(String index, Query query) {
    this.index = index;
    this.query = query;
  }

  /** How a filter compares a field with its values. */
  public enum Operator {
    EQ,
    NE,
    LT,
    LE,
    GT,
    GE,
    /** Takes one value or more. */
    IN,
    /** Takes the lowest and the highest value. */
    BETWEEN
  }

  /**
   * Asks for the entries with a value of the index's shard field.
   *
   * @throws IllegalArgumentException if the index's name is none
   */
  public static IndexQuery of(String index, String shardField) {
    return of(index, List.of(shardField));
  }

  /**
   * Asks for the entries with any of several values of the index's shard field, all in one order.
   *
   * @param shardFields 1 to {@value WorkerApi#MAX_SHARD_FIELDS}
   * @throws IllegalArgumentException if there are none or more, or the index's name is none
   */
  public static IndexQuery of(String index, List<String> shardFields) {
    if (shardFields.isEmpty() || shardFields.size() > WorkerApi.MAX_SHARD_FIELDS) {
      throw new IllegalArgumentException(
          "shard_field: %d values are not 1..%d"
              .formatted(shardFields.size(), WorkerApi.MAX_SHARD_FIELDS));
    }
    var query = Query.EMPTY;
    for (var value : shardFields) {
      query = query.with(WorkerApi.SHARD_FIELD, value);
    }
    return new IndexQuery(Names.check("index", index), query);
  }

  /**
   * Leaves out the entries whose field does not compare so with the values; filters add up.
   *
   * @throws IllegalArgumentException if there are more or fewer values than the operator takes, or
   *     one of several has a comma
   */
  public IndexQuery where(String field, Operator operator, String... values) {
    var all = List.of(values);
    boolean fits =
        switch (operator) {
          case IN -> !all.isEmpty();
          case BETWEEN -> all.size() == 2;
          default -> all.size() == 1;
        };
    if (!fits) {
      throw new IllegalArgumentException(
          "filter of %s: %s does not take %d values"
              .formatted(Printable.of(field), word(operator), all.size()));
    }
    boolean listed = operator == Operator.IN || operator == Operator.BETWEEN;
    var told = listed ? listed(WorkerApi.FILTER, all) : all.get(0);
    return with(WorkerApi.FILTER, field + ":" + word(operator) + ":" + told);
  }

  /**
   * Orders by a field, from its lowest value on; after those named before, and then by row key and
   * the value of the shard field.
   */
  public IndexQuery ascending(String field) {
    return with(WorkerApi.ORDER, field + ":asc");
  }

  /** Orders by a field, from its highest value on; after those named before. */
  public IndexQuery descending(String field) {
    return with(WorkerApi.ORDER, field + ":desc");
  }

  /**
   * Asks for these fields alone.
   *
   * @throws IllegalArgumentException if a name has a comma
   */
  public IndexQuery fields(String... fields) {
    return with(WorkerApi.FIELDS, listed(WorkerApi.FIELDS, List.of(fields)));
  }

  /**
   * Asks for the latest cells of these columns with each entry.
   *
   * @throws IllegalArgumentException if a name has a comma
   */
  public IndexQuery columns(String... columns) {
    return with(WorkerApi.COLUMNS, listed(WorkerApi.COLUMNS, List.of(columns)));
  }

  /** Asks for the latest cells of all columns with each entry. */
  public IndexQuery allColumns() {
    return with(WorkerApi.COLUMNS, ALL_COLUMNS);
  }

  /**
   * Asks for so many entries at most.
   *
   * @param entries 1 to {@value WorkerApi#MAX_PAGE}
   * @throws IllegalArgumentException if it is beyond that
   */
  public IndexQuery limit(int entries) {
    if (entries < 1 || entries > WorkerApi.MAX_PAGE) {
      throw new IllegalArgumentException(
          "limit: " + entries + " is not in 1.." + WorkerApi.MAX_PAGE);
    }
    return new IndexQuery(
        index, query.without(WorkerApi.LIMIT).with(WorkerApi.LIMIT, String.valueOf(entries)));
  }

  /**
   * Goes on behind a page of the same query.
   *
   * @param cursor the page's {@code next}
   */
  public IndexQuery after(String cursor) {
    return new IndexQuery(
        index,
        query
            .without(WorkerApi.CURSOR)
            .with(WorkerApi.CURSOR, Objects.requireNonNull(cursor, "cursor")));
  }

  String index() {
    return index;
  }

  Query query() {
    return query;
  }

  private IndexQuery with(String parameter, String value) {
    return new IndexQuery(index, query.with(parameter, value));
  }

  private static String word(Operator operator) {
    return operator.name().toLowerCase(Locale.ROOT);
  }

  /** A list is told with commas, so a part can't have one. */
  private static String listed(String parameter, List<String> values) {
    var all = new ArrayList<String>();
    for (var value : values) {
      if (value.indexOf(',') >= 0) {
        throw new IllegalArgumentException(
            "%s = \"%s\": one of several can't have a comma"
                .formatted(parameter, Printable.of(Shortened.of(value))));
      }
      all.add(value);
    }
    return String.join(",", all);
  }
}
