package io.cellmesh.bench;

import java.io.IOException;
import java.sql.SQLException;

/** Asks one thing after the other, over connections of its own. For one thread. */
interface Asker extends AutoCloseable {
  /**
   * Asks, and returns with the answer.
   *
   * @param number tells one row or driver from another
   * @throws IllegalStateException if the answer is not what it has to be
   */
  void ask(Question question, int number) throws Exception;

  @Override
  void close() throws IOException, SQLException;

  /** Opens one. */
  @FunctionalInterface
  interface Opening {
    Asker open() throws Exception;
  }
}
