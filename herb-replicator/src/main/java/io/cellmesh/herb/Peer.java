package io.cellmesh.herb;

import io.cellmesh.deployment.KafkaAccess;

/**
 * The other end of a link that reads on its peer's brokers.
 *
 * @param instance whose cells the link carries
 * @param name of its data centre
 * @param kafka its brokers
 */
record Peer(String instance, String name, KafkaAccess kafka) {
  /** The brokers' addresses, for messages. */
  String bootstrap() {
    return kafka.bootstrap();
  }

  /** What the link to it is called in the log. */
  String link() {
    return link(instance, name);
  }

  /** What a link is called in the log. */
  static String link(String instance, String peer) {
    return "Link of %s to %s".formatted(instance, peer);
  }
}
