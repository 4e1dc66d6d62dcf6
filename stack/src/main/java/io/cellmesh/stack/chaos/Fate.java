package io.cellmesh.stack.chaos;

/** What must become of a record, as whoever produced it knows. */
enum Fate {
  /** Its cell stands in the tables, and nobody is told of the record. */
  STORED,
  /** It is in the topic of rejected records. */
  REJECTED
}
