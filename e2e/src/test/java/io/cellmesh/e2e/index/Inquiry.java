package io.cellmesh.e2e.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Topology;
import io.cellmesh.e2e.faults.FaultStack;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.index.Condition;
import io.cellmesh.storage.index.Condition.Operator;
import io.cellmesh.storage.index.IndexHit;
import io.cellmesh.storage.index.IndexQuery;
import io.cellmesh.storage.index.Indexes;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;

/** Asks an index what the entities have already told, through the API and through the command. */
final class Inquiry {
  static final String INDEX = "driver_partner_index";

  /** A command is a process's worth of work; one in so many questions goes through it. */
  private static final int COMMANDS = 20;

  private final FaultStack stack;
  private final Indexes indexes;
  private final Drivers drivers;
  private final Random random;
  private long asked;

  Inquiry(FaultStack stack, Topology topology, Pools pools, Drivers drivers, long seed) {
    this.stack = stack;
    this.indexes = new Indexes(topology, pools, false);
    this.drivers = drivers;
    this.random = new Random(seed);
  }

  long asked() {
    return asked;
  }

  /** Asks random questions; every answer must be whole and without a foreign row. */
  void ask(int count) throws SQLException {
    for (int i = 0; i < count; i++) {
      ask();
    }
  }

  void ask() throws SQLException {
    var question = drivers.draw(random);
    var rows = asked++ % COMMANDS == 0 ? byCommand(question) : byApi(question);
    // Trips that came after the entities were read belong to the answer and can't be compared.
    rows.removeIf(row -> !drivers.knows(row));
    assertThat(rows).as("%s", question).isEqualTo(question.rows());
  }

  private Set<UUID> byApi(Drivers.TripQuery question) throws SQLException {
    var query =
        IndexQuery.of(question.driver())
            .where(new Condition("city_uuid", Operator.EQUAL, question.city()))
            .where(
                new Condition(
                    "trip_created_at",
                    Operator.BETWEEN,
                    question.from().toString(),
                    question.to().toString()));
    return indexes.query(INDEX, "driver_partner_uuid", query).stream()
        .map(IndexHit::rowKey)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private Set<UUID> byCommand(Drivers.TripQuery question) {
    var words =
        new ArrayList<>(
            List.of(
                "query",
                INDEX,
                "--where=driver_partner_uuid=" + question.driver(),
                "--where=city_uuid=" + question.city(),
                "--where=trip_created_at between %s and %s"
                    .formatted(question.from(), question.to()),
                "--limit=100000",
                "--json"));
    var answer = stack.command(words.toArray(String[]::new));
    assertThat(answer.exit()).as(answer.out() + answer.err()).isZero();
    return answer
        .out()
        .lines()
        .filter(line -> line.contains("\"row_key\""))
        .map(line -> UUID.fromString(line.split("\"row_key\":\"")[1].substring(0, 36)))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
