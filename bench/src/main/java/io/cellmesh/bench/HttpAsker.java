package io.cellmesh.bench;

import io.cellmesh.bench.HttpConnection.Answer;
import java.io.IOException;
import java.util.Locale;

/** Asks a worker node. */
final class HttpAsker implements Asker {
  private static final int OK = 200;
  private static final int ACCEPTED = 202;

  private final HttpConnection connection;
  private final TripCells cells = new TripCells(System.nanoTime());

  HttpAsker(int port) throws IOException {
    this.connection = new HttpConnection(port);
  }

  @Override
  public void ask(Question question, int number) throws IOException {
    boolean read = Question.READS.contains(question);
    var answer = read ? connection.get(path(question, number)) : put(question);
    int wanted = question == Question.ACCEPTED ? ACCEPTED : OK;
    if (answer.status() != wanted) {
      throw new IllegalStateException(
          "%d instead of %d for %s".formatted(answer.status(), wanted, question.text()));
    }
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }

  private Answer put(Question question) throws IOException {
    var cell = cells.next();
    return connection.put(
        "/v1/trips/cells/%s/%s/%d?wait=%s"
            .formatted(
                cell.rowKey(),
                cell.columnName(),
                cell.refKey(),
                question.name().toLowerCase(Locale.ROOT)),
        cell.body());
  }

  private static String path(Question question, int number) {
    if (question == Question.PAGE) {
      return "/v1/trips/indexes/bench_driver?order=trip_created_at:desc&limit=%d&shard_field=%s"
          .formatted(IndexQueries.ENTRIES_A_DRIVER, IndexQueries.driver(number));
    }
    var row = "/v1/trips/cells/" + WorkerRows.row(number);
    return switch (question) {
      case CELL -> row + "/BASE/1";
      case LATEST -> row + "/BASE";
      default -> row;
    };
  }
}
