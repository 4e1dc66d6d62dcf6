package io.cellmesh.cell;

/**
 * The consumer groups of the sink, of indexes, triggers, links and the proof that data centres
 * agree, and the connector that one of them belongs to.
 */
public final class InstanceNames {
  private InstanceNames() {}

  /** The group in which Connect runs the sink of cells. */
  public static String cellSink(String instance) {
    return "connect-%s-sink".formatted(instance);
  }

  /** The Streams application that keeps the indexes of a pass. */
  public static String application(String instance, String pass) {
    return "%s-index-%s".formatted(instance, pass);
  }

  /** The connector that writes the entries of the indexes of a pass. */
  public static String connector(String instance, String pass) {
    return "%s-index-sink-%s".formatted(instance, pass);
  }

  /** The group in which Connect runs that connector. */
  public static String sink(String instance, String pass) {
    return "connect-" + connector(instance, pass);
  }

  /** The group in which the processes of a trigger share its partitions. */
  public static String triggerGroup(String instance, String trigger) {
    return "%s-trigger-%s".formatted(instance, trigger);
  }

  /**
   * The group of a data centre's herb-replicator on the brokers of each of its peers.
   *
   * @param reader the data centre that the cells come to
   */
  public static String linkGroup(String instance, String reader) {
    return "%s-herb-%s".formatted(instance, reader);
  }

  /**
   * The name of the transactions in which a seed is written.
   *
   * @param datacenter that joins; empty for the beginning of all
   */
  public static String seedTransaction(String instance, String datacenter) {
    return "%s-seed-%s".formatted(instance, datacenter);
  }

  /**
   * The group in which the herb-replicators of a data centre share the partitions of a topic that
   * they fold, and the beginning of the names of their transactions.
   *
   * @param source what is folded; empty for the beginning of all
   */
  public static String proofGroup(String instance, String source) {
    return "%s-proof-%s".formatted(instance, source);
  }

  /**
   * The group in which the workers of a data centre share the partitions whose tables they read.
   */
  public static String scrubGroup(String instance) {
    return instance + "-scrub";
  }
}
