package io.cellmesh.topics.trigger;

/** Within what the cells of a trigger are called one after the other, in the log's order. */
public enum Order {
  /** One cell at a time of each shard. */
  SHARD,
  /** One cell at a time of each row; those of other rows of the shard may overtake it. */
  ROW
}
