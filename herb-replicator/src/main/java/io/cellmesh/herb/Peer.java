package io.cellmesh.herb;

import io.cellmesh.deployment.KafkaAccess;

/**
 * The other end of a link.
 *
 * @param name of its data centre
 * @param kafka its brokers
 */
record Peer(String name, KafkaAccess kafka) {
  /** The brokers' addresses, for messages. */
  String bootstrap() {
    return kafka.bootstrap();
  }
}
