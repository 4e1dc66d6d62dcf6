package io.cellmesh.herb;

import io.cellmesh.cell.MeshPlace;
import io.cellmesh.cell.RememberedLog;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes down, in the data centre that the cells come to, how far a link has read its peer's log.
 * Who writes makes sure before that all of it has arrived; so whoever wrote last, it is true. Any
 * thread may write.
 */
final class PlaceBook implements AutoCloseable {
  private final MeshPlaces.Writer writer;
  private final String peer;
  private final RememberedLog log;

  /**
   * @param writer closed with this one
   * @param log that the places are in
   */
  PlaceBook(MeshPlaces.Writer writer, String peer, RememberedLog log) {
    this.writer = writer;
    this.peer = peer;
    this.log = log;
  }

  /**
   * Returns when all are safe.
   *
   * @param next the offset of the next record to read, by partition
   * @throws org.apache.kafka.common.KafkaException if they are not, or not within {@value
   *     io.cellmesh.deployment.KafkaAccess#ANSWER_MS} ms
   */
  void write(Map<Integer, Long> next) {
    var values = new TreeMap<String, String>();
    next.forEach(
        (partition, offset) ->
            values.put(MeshPlace.key(peer, partition), new MeshPlace(log, offset).toJson()));
    writer.write(values);
  }

  @Override
  public void close() {
    writer.close();
  }
}
