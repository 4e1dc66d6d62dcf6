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
      throw failed("%s: Kafka at %s: %s".formatted(dc.name(), dc.kafka(), e.getMessage()), e);
    } catch (ServerFailure e) {
      throw failed("%s: %s".formatted(dc.name(), e.getMessage()), e);
    } catch (SQLException e) {
      throw failed("%s: MySQL: %s".formatted(dc.name(), MySqlErrors.explain(e)), e);
    }
  }

  private static OperationException failed(String what, Exception cause) {
    return OperationException.unavailable(
        what + "; once that is mended run the same again: it goes on where it stands", cause);
  }
}
