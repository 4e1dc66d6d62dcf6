package io.cellmesh.herb;

import io.cellmesh.cell.MeshIdentity;
import io.cellmesh.cell.ReadPlace;
import io.cellmesh.cell.RememberedLog;
import io.cellmesh.deployment.Seed;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** What a link asks its peer before it runs; each transport has its own way to ask. */
interface PeerSide extends AutoCloseable {
  /** Where it was found, for messages. */
  String at();

  /** The peer's cluster and its log, as Kafka names them. */
  RememberedLog log() throws InterruptedException;

  /** How many partitions its log has. */
  int partitions() throws InterruptedException;

  /**
   * Who the peer says it is.
   *
   * @param doubt is told why nobody says so, if it is empty
   */
  Optional<MeshIdentity> identity(Consumer<String> doubt);

  /** Which generation its log is, as {@link io.cellmesh.cell.LogGeneration} has it. */
  int generation();

  /** The places that the peer has of the link, by partition; none over HTTP. */
  Map<Integer, Long> committed() throws InterruptedException;

  /** Gives the peer the places that it has otherwise, by partition. */
  void commit(Map<Integer, Long> places) throws InterruptedException;

  /**
   * Judges by what the log still holds where to go on.
   *
   * @param next the offset of the next record to read, by partition, where it is known
   */
  List<ReadPlace> places(Map<Integer, Long> next) throws InterruptedException;

  /**
   * The seed that the peer has for this data centre.
   *
   * @param doubt is told why none is seen, if it is empty
   */
  Optional<Seed> seed(Consumer<String> doubt) throws InterruptedException;

  /** What is wrong with a place, in words. */
  default String text(ReadPlace place) {
    return place.text();
  }

  @Override
  void close();

  /** Asks for it; whoever opened it closes it. */
  interface Door {
    /**
     * @throws org.apache.kafka.common.KafkaException if it does not answer
     */
    PeerSide open() throws InterruptedException;
  }
}
