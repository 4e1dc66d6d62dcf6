package io.cellmesh.client;

import java.util.Optional;

/** How the answers to a call are read. */
@FunctionalInterface
interface Reading<T> {
  /**
   * Makes a result of an answer.
   *
   * @return empty if the status is none of those that are a result
   * @throws WrongAnswerException if the status is one and the rest is not what belongs to it
   */
  Optional<T> read(Reply reply) throws WrongAnswerException;
}
