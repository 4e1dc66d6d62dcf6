package io.cellmesh.storage.index;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * A question to an index. Everything in it is data: fields are looked up in the definition, values
 * are bound.
 *
 * @param shardValue the value of the shard field, as a text that its type parses
 * @param conditions all must hold
 * @param select the fields wanted; all if empty
 * @param order by these, then by row_key
 * @param limit most entries wanted
 */
public record IndexQuery(
    String shardValue,
    List<Condition> conditions,
    List<String> select,
    List<Order> order,
    OptionalInt limit) {

  public IndexQuery {
    Objects.requireNonNull(shardValue, "shardValue");
    conditions = List.copyOf(conditions);
    select = List.copyOf(select);
    order = List.copyOf(order);
    if (limit.isPresent() && limit.getAsInt() < 1) {
      throw new IndexQueryException("limit: must be at least 1");
    }
  }

  /** All entries under a value of the shard field. */
  public static IndexQuery of(String shardValue) {
    return new IndexQuery(shardValue, List.of(), List.of(), List.of(), OptionalInt.empty());
  }

  public IndexQuery where(Condition condition) {
    return new IndexQuery(shardValue, with(conditions, condition), select, order, limit);
  }

  public IndexQuery select(List<String> fields) {
    return new IndexQuery(shardValue, conditions, fields, order, limit);
  }

  public IndexQuery orderBy(String field, boolean descending) {
    return new IndexQuery(
        shardValue, conditions, select, with(order, new Order(field, descending)), limit);
  }

  public IndexQuery limit(int most) {
    return new IndexQuery(shardValue, conditions, select, order, OptionalInt.of(most));
  }

  private static <T> List<T> with(List<T> list, T last) {
    var longer = new ArrayList<>(list);
    longer.add(last);
    return longer;
  }

  /** A field to order by. */
  public record Order(String field, boolean descending) {}
}
