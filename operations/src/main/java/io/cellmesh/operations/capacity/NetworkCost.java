package io.cellmesh.operations.capacity;

/**
 * Bytes a second on the network of a data centre, and into it from its peers.
 *
 * @param toKafka what producers, links and sources write, with the brokers' copies of it
 * @param fromKafka what the sink, and one more consumer of the log, read
 * @param toMasters what the sink sends
 * @param toMinions what minions read of their masters' binlogs
 * @param toSources what sources read of binlogs
 * @param betweenOverKafka into a data centre when links read their peers' brokers
 * @param betweenOverHttp when links read their peers' herb-replicators
 */
public record NetworkCost(
    double toKafka,
    double fromKafka,
    double toMasters,
    double toMinions,
    double toSources,
    double betweenOverKafka,
    double betweenOverHttp) {
  /** What a link over HTTP leaves of a cell's bytes, as docs/herb-replicator.md has it. */
  private static final double OVER_HTTP = 0.2;

  static NetworkCost of(Layout layout, Load load, MySqlCost mysql, KafkaCost kafka) {
    double cells = load.stored(layout);
    double clusters = layout.clusters();
    double stored = load.bytes() * Coefficient.STORED.value;
    double binlogs = clusters * mysql.binlogBytes();
    double peers = layout.datacenters() - 1.0;
    double sent = cells * (1 + load.copies()) * (2 * stored + Coefficient.CELL_RECEIVED.value);
    return new NetworkCost(
        kafka.bytes(),
        cells * load.bytes() * 2,
        sent
            + clusters * mysql.commits() * Coefficient.COMMIT_RECEIVED.value
            + clusters * mysql.asked() * Coefficient.ASKED_RECEIVED.value,
        binlogs * layout.minions(),
        binlogs,
        peers * cells * load.bytes(),
        peers * load.rate() * load.bytes() * OVER_HTTP);
  }

  /** Adds up all of it that stays within the data centre. */
  public double within() {
    return toKafka + fromKafka + toMasters + toMinions + toSources;
  }
}
