package io.cellmesh.storage;

import java.time.Duration;

/**
 * How connections behave. Every wait is bounded, since Connector/J's own default is to wait for
 * ever on a server that stopped answering.
 *
 * @param connectTimeout to open a connection
 * @param socketTimeout for an answer to any statement
 * @param lockWait {@code innodb_lock_wait_timeout}, in whole seconds
 * @param idle {@code wait_timeout}, in whole seconds: after it the server frees the locks of a
 *     client that was stopped in the middle of a transaction
 * @param poolSize most connections to one server
 * @param multiStatements whether one round trip may carry several statements
 */
public record MySqlOptions(
    Duration connectTimeout,
    Duration socketTimeout,
    Duration lockWait,
    Duration idle,
    int poolSize,
    boolean multiStatements) {

  public static final MySqlOptions DEFAULT =
      new MySqlOptions(
          Duration.ofSeconds(2),
          Duration.ofSeconds(10),
          Duration.ofSeconds(5),
          Duration.ofSeconds(15),
          4);

  /** One statement a round trip. */
  public MySqlOptions(
      Duration connectTimeout,
      Duration socketTimeout,
      Duration lockWait,
      Duration idle,
      int poolSize) {
    this(connectTimeout, socketTimeout, lockWait, idle, poolSize, false);
  }

  /** As {@link EntityTransaction} needs it. */
  public MySqlOptions withMultiStatements() {
    return new MySqlOptions(connectTimeout, socketTimeout, lockWait, idle, poolSize, true);
  }
}
