package io.cellmesh.operations.conflict;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.RecordPosition;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.conflict.ConflictPage.Unread;
import io.cellmesh.storage.CellReader;
import io.cellmesh.storage.ConflictCursor;
import io.cellmesh.storage.ConflictKind;
import io.cellmesh.storage.ConflictListing;
import io.cellmesh.storage.ConflictListing.Filter;
import io.cellmesh.storage.ConflictListing.Found;
import io.cellmesh.storage.MySqlErrors;
import io.cellmesh.storage.Pools;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Reads the ledgers of conflicts of all clusters, as whoever reads cells. A ledger that can't be
 * read is part of the answer and holds up none of the others.
 */
public final class Conflicts implements AutoCloseable {
  /** Most conflicts of a page. */
  public static final int MOST = 10_000;

  /** Ledgers that are read at the same time. */
  private static final int THREADS = 8;

  private final List<DataCenter> datacenters;
  private final Pools pools;

  private Conflicts(List<DataCenter> datacenters, Pools pools) {
    this.datacenters = List.copyOf(datacenters);
    this.pools = pools;
  }

  /**
   * Opens the ledgers of a deployment; connects to none of them yet.
   *
   * @param datacenter the only one whose ledgers are read; empty for those of all
   * @throws io.cellmesh.deployment.DeploymentException if there is none of that name
   */
  public static Conflicts of(Deployment deployment, Optional<String> datacenter) {
    var meant =
        datacenter.isEmpty()
            ? deployment.datacenters()
            : List.of(deployment.datacenter(datacenter));
    return new Conflicts(meant, new Pools(deployment.reader()));
  }

  /**
   * What is asked for.
   *
   * @param since when they were decided, at the earliest
   * @param after where the page before ended
   * @param limit most conflicts, 1 to {@value Conflicts#MOST}
   */
  public record Query(
      Optional<ConflictKind> kind,
      Optional<Instant> since,
      Optional<ConflictCursor> after,
      int limit) {

    /**
     * Reads what a person typed.
     *
     * @throws OperationException naming what is none, and the rule
     */
    public static Query of(
        Optional<String> kind, Optional<String> since, Optional<String> after, int limit) {
      if (limit < 1 || limit > MOST) {
        throw OperationException.invalid("--limit: %d is not in 1..%d".formatted(limit, MOST));
      }
      return new Query(
          kind.map(Query::kindOf), since.map(Query::timeOf), after.map(Query::cursorOf), limit);
    }

    private static ConflictKind kindOf(String text) {
      for (var kind : ConflictKind.values()) {
        if (kind.name().equalsIgnoreCase(text)) {
          return kind;
        }
      }
      throw OperationException.invalid("--kind: \"%.80s\" is neither own nor mesh".formatted(text));
    }

    private static Instant timeOf(String text) {
      try {
        return Instant.parse(text);
      } catch (DateTimeParseException e) {
        throw OperationException.invalid(
            "--since: \"%.80s\" is no time such as 2026-01-31T12:00:00Z".formatted(text));
      }
    }

    private static ConflictCursor cursorOf(String text) {
      return ConflictCursor.parse(text)
          .orElseThrow(
              () ->
                  OperationException.invalid(
                      "--after: \"%.80s\" is no cursor of `conflicts ls`".formatted(text)));
    }
  }

  /** Reads a page: of each ledger no more than the page has room for. */
  public ConflictPage page(Query query) {
    int limit = query.limit();
    var filter = new Filter(query.kind(), query.since());
    var unread = new ArrayList<Unread>();
    var found = new ArrayList<Conflict>();
    for (var answer :
        ask(
            datacenters,
            (listing, c) -> listing.page(c, filter, query.after(), limit + 1),
            unread)) {
      answer.said().forEach(entry -> found.add(answer.ledger().conflict(entry)));
    }
    return ConflictPage.of(found, unread, limit);
  }

  /**
   * Finds one conflict with all that is known of it.
   *
   * @param identity of the refused record, {@code DC:TOPIC:PARTITION:OFFSET}
   * @param bodies whether the body that was kept is read, too
   * @throws OperationException if the identity is none, no ledger has it, or one that might have it
   *     can't be read
   */
  public ConflictDetail find(String identity, boolean bodies) {
    var at = RecordPosition.parse(identity).orElseThrow(() -> noIdentity(identity));
    var here = datacenters.stream().filter(dc -> dc.name().equals(at.datacenter())).findFirst();
    if (here.isEmpty()) {
      throw OperationException.invalid(
          "\"%s\": there is no data centre %s".formatted(identity, at.datacenter()));
    }
    var unread = new ArrayList<Unread>();
    for (var answer :
        ask(
            List.of(here.get()),
            (listing, c) -> listing.find(c, at.topic(), at.partition(), at.offset()),
            unread)) {
      if (answer.said().isPresent()) {
        return detail(here.get(), answer.ledger(), answer.said().get(), bodies);
      }
    }
    new ConflictPage(List.of(), unread, Optional.empty()).requireComplete();
    throw OperationException.failed("no ledger has a conflict about " + at);
  }

  @Override
  public void close() {
    pools.close();
  }

  private ConflictDetail detail(DataCenter dc, Ledger ledger, Found found, boolean bodies) {
    var kept = bodies ? kept(dc, found.entry().key()) : Optional.<Body>empty();
    return new ConflictDetail(
        ledger.conflict(found.entry()), kept, new RefusedRecordSearch(dc).of(found));
  }

  private Optional<Body> kept(DataCenter dc, CellKey key) {
    try {
      return new CellReader(dc.topology(), pools, false).get(key).map(row -> row.cell().body());
    } catch (SQLException e) {
      throw OperationException.unavailable(
          "the cell that was kept can't be read: " + MySqlErrors.explain(e), e);
    }
  }

  private static OperationException noIdentity(String text) {
    return OperationException.invalid(
        "\"%.80s\": must be DC:TOPIC:PARTITION:OFFSET, as `conflicts ls` and the header Cellmesh-Position have it"
            .formatted(text));
  }

  /** What one ledger is asked. */
  private interface Question<T> {
    T ask(ConflictListing listing, Connection connection) throws SQLException;
  }

  private record Ledger(DataCenter datacenter, StorageCluster cluster) {
    Conflict conflict(ConflictListing.Entry entry) {
      return new Conflict(datacenter.name(), cluster.name(), entry);
    }

    Unread unread(String why) {
      return new Unread(datacenter.name(), cluster.name(), cluster.master().address(), why);
    }
  }

  private record Answer<T>(Ledger ledger, T said) {}

  /** Asks all ledgers, a few at a time; those that can't be read are put among the unread. */
  private <T> List<Answer<T>> ask(List<DataCenter> of, Question<T> question, List<Unread> unread) {
    var ledgers =
        of.stream()
            .flatMap(dc -> dc.topology().clusters().stream().map(c -> new Ledger(dc, c)))
            .toList();
    var threads = Executors.newFixedThreadPool(Math.min(THREADS, ledgers.size()));
    try {
      var asked = new ArrayList<Future<T>>();
      for (var ledger : ledgers) {
        asked.add(threads.submit(call(ledger, question)));
      }
      var answers = new ArrayList<Answer<T>>();
      for (int i = 0; i < asked.size(); i++) {
        try {
          answers.add(new Answer<>(ledgers.get(i), asked.get(i).get()));
        } catch (ExecutionException e) {
          if (!(e.getCause() instanceof SQLException failure)) {
            throw new IllegalStateException(e.getCause());
          }
          unread.add(ledgers.get(i).unread(MySqlErrors.explain(failure)));
        }
      }
      return answers;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw OperationException.unavailable("interrupted while the ledgers were read", e);
    } finally {
      threads.shutdownNow();
    }
  }

  private <T> Callable<T> call(Ledger ledger, Question<T> question) {
    return () -> {
      try (var connection = pools.open(ledger.cluster().master())) {
        return question.ask(new ConflictListing(ledger.datacenter().topology()), connection);
      }
    };
  }
}
