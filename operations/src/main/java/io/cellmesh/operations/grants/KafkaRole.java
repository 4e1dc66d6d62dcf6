package io.cellmesh.operations.grants;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Who signs on to Kafka, each as a user of its own. */
public enum KafkaRole {
  /** CellSinkConnector. */
  SINK,
  /** CellSourceConnector. */
  SOURCE,
  /** IndexSinkConnector. */
  INDEX,
  /** The Streams application that keeps the indexes. */
  INDEX_STREAMS,
  /** The Streams application that brings the peers' cells. */
  HERB_REPLICATOR,
  /** The processes of triggers. */
  TRIGGER,
  /** The worker, which writes cells for whoever calls it, and says what became of them. */
  WORKER,
  /** A Connect worker itself: its group, its topics. */
  CONNECT_WORKER,
  /** Whoever writes cells: {@code cellmesh put} and {@code load}, your producers. */
  PRODUCER,
  /** Whoever reads the log: {@code cellmesh tail}, your consumers. */
  CONSUMER,
  /** Whoever runs the other commands. */
  OPERATOR;

  /** The role of a name; empty if there is none. */
  public static Optional<KafkaRole> of(String text) {
    return Arrays.stream(values()).filter(role -> role.text().equals(text)).findFirst();
  }

  /** The names of all, for messages. */
  public static String names() {
    return Arrays.stream(values()).map(KafkaRole::text).collect(Collectors.joining(", "));
  }

  /** As commands say it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The usual name of its user, such as {@code cellmesh_sink}. */
  public String user() {
    return "cellmesh_" + name().toLowerCase(Locale.ROOT);
  }
}
