package io.cellmesh.connect.sink;

import io.cellmesh.connect.sink.base.Original;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;

/** Has single records of the ingest topics by their place. One thread. */
interface RecordSource extends AutoCloseable {
  /**
   * The record at a place, to the byte.
   *
   * @return empty if its topic no longer has it
   */
  Optional<Original> at(TopicPartition at, long offset);

  /** Lets go of what it holds; it may be asked again. */
  @Override
  void close();
}
