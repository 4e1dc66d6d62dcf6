package io.cellmesh.herb;

import io.cellmesh.cell.Envelope;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Tells by a record's header, before its envelope is parsed, that its cell is not of one's own
 * origin. A header is never the only carrier: where the envelope has the bytes of the own origin
 * all the same, nothing is said, so that whoever parses it sees that the two disagree.
 */
final class OriginFilter {
  private static final int SHOWN = 48;

  private final String own;
  private final byte[] ownMember;

  /**
   * @param own the data centre whose cells are wanted
   */
  OriginFilter(String own) {
    this.own = own;
    this.ownMember = "\"origin\":\"%s\"".formatted(own).getBytes(StandardCharsets.UTF_8);
  }

  /** The other data centre whose cell it is; empty if it may be one's own, or is damaged. */
  Optional<String> otherOrigin(ConsumerRecord<byte[], byte[]> log) {
    return header(log)
        .filter(origin -> !origin.equals(own) && log.value() != null && !saysOwn(log.value()));
  }

  /** What the header says; empty if there is none. */
  static Optional<String> header(ConsumerRecord<byte[], byte[]> log) {
    var header = log.headers().lastHeader(Envelope.ORIGIN_HEADER);
    return header == null || header.value() == null
        ? Optional.empty()
        : Optional.of(new String(header.value(), StandardCharsets.UTF_8));
  }

  static String shortened(String text) {
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
  }

  private boolean saysOwn(byte[] value) {
    int last = value.length - ownMember.length;
    for (int at = 0; at <= last; at++) {
      // A body has many quotes, of which few begin a member of such a name.
      if (value[at] == '"'
          && value[at + 1] == ownMember[1]
          && Arrays.equals(value, at, at + ownMember.length, ownMember, 0, ownMember.length)) {
        return true;
      }
    }
    return false;
  }
}
