package io.cellmesh.herb;

import io.cellmesh.deployment.KafkaAccess;

/**
 * The other end of a link.
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
    return "Link of %s to %s".formatted(instance, name);
  }
}
