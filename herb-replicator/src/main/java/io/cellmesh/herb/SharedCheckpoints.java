package io.cellmesh.herb;

import io.cellmesh.cell.proof.BucketKey;
import io.cellmesh.cell.proof.FoldSource;
import io.cellmesh.cell.proof.TableVerdict;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Of the checkpoints a peer has what the comparison of both needs: of the own log what is of its
 * own origin, of the mesh topic and of the log what is of the peer's, and how far all of it is.
 *
 * @param own this data centre
 * @param peer the one that asks
 */
record SharedCheckpoints(String own, String peer) implements TopicBatches.Filter {
  @Override
  public String leftOut(ConsumerRecord<byte[], byte[]> record) {
    var text = new String(record.key(), StandardCharsets.UTF_8);
    if (TableVerdict.isKey(text)) {
      // It names cells of others, too.
      return own;
    }
    return BucketKey.parse(text)
        .filter(key -> !isShared(key))
        .map(key -> key.cells().origin())
        .orElse("");
  }

  private boolean isShared(BucketKey key) {
    var origin = key.cells().origin();
    return origin.equals(peer) || origin.equals(own) && key.source() == FoldSource.LOG;
  }
}
