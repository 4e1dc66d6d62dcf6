package io.cellmesh.operations.verify;

/** What is proved. */
public enum Check {
  CONSERVATION("conservation", "every record is an entity row, a duplicate or rejected"),
  PRODUCED("order in", "each topic's order of production is the entity order, shard by shard"),
  LOGGED("order out", "the log is the entity tables, row by row and in their order"),
  REPLICAS("minions", "every minion holds its master's rows"),
  INDEX("index", "each index equals the one recomputed from the cells"),
  MESH(
      "mesh",
      "every data centre has the others' cells, with equal bodies and in their origin's order, or the conflict in its ledger");

  private final String title;
  private final String claim;

  Check(String title, String claim) {
    this.title = title;
    this.claim = claim;
  }

  public String title() {
    return title;
  }

  /** What holds when the check passes. */
  public String claim() {
    return claim;
  }
}
