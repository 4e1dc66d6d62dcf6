package io.cellmesh.herb;

import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Of a log a peer has the cells of its own origin alone. What can't be told to be another's goes
 * along.
 */
final class OwnCells implements TopicBatches.Filter {
  private final String own;
  private final OriginFilter filter;

  /**
   * @param own the data centre whose cells are wanted
   */
  OwnCells(String own) {
    this.own = own;
    this.filter = new OriginFilter(own);
  }

  /** By its header, or where there is none by its envelope. */
  @Override
  public String leftOut(ConsumerRecord<byte[], byte[]> record) {
    if (OriginFilter.header(record).isPresent()) {
      return filter.otherOrigin(record).orElse("");
    }
    try {
      var origin = MeshRecord.of(record.value()).origin();
      return origin.equals(own) ? "" : origin;
    } catch (CorruptLogException e) {
      return "";
    }
  }
}
