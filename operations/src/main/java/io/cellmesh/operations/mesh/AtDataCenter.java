package io.cellmesh.operations.mesh;

import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.MissingRightException;
import io.cellmesh.operations.OperationException;
import io.cellmesh.storage.MySqlErrors;
import io.cellmesh.storage.ServerFailure;
import java.sql.SQLException;
import org.apache.kafka.common.KafkaException;

/** Says of what fails at a data centre which one it is, and what to do next. */
public final class AtDataCenter {
  private AtDataCenter() {}

  /** What is done there. */
  public interface Work {
    void run() throws Exception;
  }

  /** What its Kafka is asked. */
  interface Question<T> {
    T answer() throws InterruptedException;
  }

  /**
   * Asks its Kafka.
   *
   * @throws OperationException in place of what Kafka says
   * @throws MissingRightException which says all that by itself
   */
  static <T> T ask(DataCenter dc, Question<T> question) throws InterruptedException {
    try {
      return question.answer();
    } catch (MissingRightException e) {
      throw e;
    } catch (KafkaException e) {
      throw OperationException.unavailable(said(dc, e), e);
    }
  }

  /**
   * Does it.
   *
   * @throws OperationException in place of what Kafka or MySQL says
   * @throws MissingRightException which says all that by itself
   */
  public static void run(DataCenter dc, Work work) throws Exception {
    try {
      work.run();
    } catch (MissingRightException e) {
      throw e;
    } catch (KafkaException e) {
      throw failed(said(dc, e), e);
    } catch (ServerFailure e) {
      throw failed("%s: %s".formatted(dc.name(), e.getMessage()), e);
    } catch (SQLException e) {
      throw failed("%s: MySQL: %s".formatted(dc.name(), MySqlErrors.explain(e)), e);
    }
  }

  private static String said(DataCenter dc, KafkaException failure) {
    return "%s: Kafka at %s: %s".formatted(dc.name(), dc.kafka(), failure.getMessage());
  }

  private static OperationException failed(String what, Exception cause) {
    return OperationException.unavailable(
        what + "; once that is mended run the same again: it goes on where it stands", cause);
  }
}
