package io.cellmesh.storage.index;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A question to an index. Everything in it is data: fields are looked up in the definition, values
 * are bound.
 *
 * @param shardValues the values of the shard field whose entries are wanted, as texts that its type
 *     parses; which are given twice, or in which order, makes no difference
 * @param conditions all must hold
 * @param select the fields wanted; all if empty
 * @param order by these, then by row_key in the direction of the last of them, then by the value of
 *     the shard field as a text; entries without a value are below those with one
 * @param limit most entries wanted, over all values
 * @param after the cursor of the page before this one
 * @param columns the cells of the rows that are wanted with the entries; none if empty
 */
public record IndexQuery(
    List<String> shardValues,
    List<Condition> conditions,
    List<String> select,
    List<Order> order,
    OptionalInt limit,
    Optional<String> after,
    Optional<RowColumns> columns) {

  public IndexQuery {
    shardValues = List.copyOf(shardValues);
    if (shardValues.isEmpty()) {
      throw new IndexQueryException("shard field: at least one value must be given");
    }
    conditions = List.copyOf(conditions);
    select = List.copyOf(select);
    order = List.copyOf(order);
    if (limit.isPresent() && limit.getAsInt() < 1) {
      throw new IndexQueryException("limit: must be at least 1, not " + limit.getAsInt());
    }
  }

  /** All entries under a value of the shard field. */
  public static IndexQuery of(String shardValue) {
    return of(List.of(shardValue));
  }

  /**
   * All entries under any of several values of the shard field.
   *
   * @throws IndexQueryException if there is none
   */
  public static IndexQuery of(List<String> shardValues) {
    return new IndexQuery(
        shardValues,
        List.of(),
        List.of(),
        List.of(),
        OptionalInt.empty(),
        Optional.empty(),
        Optional.empty());
  }

  public IndexQuery where(Condition condition) {
    return new IndexQuery(
        shardValues, with(conditions, condition), select, order, limit, after, columns);
  }

  public IndexQuery select(List<String> fields) {
    return new IndexQuery(shardValues, conditions, fields, order, limit, after, columns);
  }

  public IndexQuery orderBy(String field, boolean descending) {
    var longer = with(order, new Order(field, descending));
    return new IndexQuery(shardValues, conditions, select, longer, limit, after, columns);
  }

  public IndexQuery limit(int most) {
    return new IndexQuery(
        shardValues, conditions, select, order, OptionalInt.of(most), after, columns);
  }

  /**
   * Goes on behind a page of the same query. Fields, limit and columns may differ from the page's.
   */
  public IndexQuery after(String cursor) {
    return new IndexQuery(
        shardValues, conditions, select, order, limit, Optional.of(cursor), columns);
  }

  /**
   * Fetches cells of the rows with the entries, one statement more for each shard that has rows of
   * the page. They are read after the entries and may be newer; from a minion, also older.
   */
  public IndexQuery withColumns(RowColumns wanted) {
    return new IndexQuery(
        shardValues, conditions, select, order, limit, after, Optional.of(wanted));
  }

  private static <T> List<T> with(List<T> list, T last) {
    var longer = new ArrayList<>(list);
    longer.add(last);
    return longer;
  }

  /** A field to order by. */
  public record Order(String field, boolean descending) {}
}
