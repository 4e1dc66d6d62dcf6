package io.cellmesh.e2e.billing;

import static io.cellmesh.examples.billing.StandInProvider.declinesOneInTenAtFirst;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.e2e.Command;
import io.cellmesh.stack.Stack;
import io.cellmesh.stack.StackOptions;
import io.cellmesh.storage.CellReader;
import io.cellmesh.storage.Pools;
import io.cellmesh.topics.load.CellProducer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the article promises of billing, while one of its processes after the other is killed. */
@Tag("full")
class BillingIT {
  private static final int TRIPS = 500;
  private static final int KILLS = 5;
  private static final int BURST = 80;
  private static final Duration SOON = Duration.ofSeconds(90);
  private static final Path LOGS = Path.of("target", "billing-it").toAbsolutePath();

  private final List<BillingProcess> processes = new ArrayList<>();
  private final List<UUID> trips = new ArrayList<>();
  private int started;

  @Test
  void each_trip_is_charged_once_and_its_latest_STATUS_says_so() throws Exception {
    try (var stack = Stack.start(StackOptions.of(1, List.of()), Command.silent().steps());
        var pools = new Pools(stack.deployment().operator())) {
      var payments = stack.devStack().cluster("dc1", "c1").master();
      PaymentsTable.create(payments);
      try {
        start(stack, payments);
        start(stack, payments);
        for (int i = 0; i < KILLS; i++) {
          killOneInABurst(stack, payments);
        }
        bring(stack, TRIPS - trips.size());

        var home = stack.deployment().datacenter(Optional.empty());
        var reader = new CellReader(home.topology(), pools, false);
        await()
            .atMost(SOON)
            .pollInterval(Duration.ofSeconds(1))
            .untilAsserted(() -> assertThat(charged(reader)).isEqualTo(TRIPS));
      } finally {
        for (var process : processes) {
          process.terminate();
        }
      }
      assertChargedOnce(payments);
      var reader =
          new CellReader(stack.deployment().datacenter(Optional.empty()).topology(), pools, false);
      for (var trip : trips) {
        assertStatus(trip, reader.row(trip));
      }
      var verify = Command.on(stack.devStack().stateDir(), "verify");
      assertThat(verify.exit()).as(verify.out() + verify.err()).isZero();
    }
  }

  private void start(Stack stack, MySqlServer payments) throws Exception {
    processes.add(
        BillingProcess.start(
            LOGS,
            "billing-" + ++started,
            stack.directory().deployment(),
            PaymentsTable.url(payments)));
  }

  /** Some of what the victim has asked for is not answered yet, and little of it committed. */
  private void killOneInABurst(Stack stack, MySqlServer payments) throws Exception {
    var victim = processes.get(0);
    long before = PaymentsTable.asked(payments, victim.name());
    bring(stack, BURST);
    await()
        .atMost(SOON)
        .pollInterval(Duration.ofMillis(10))
        .until(() -> PaymentsTable.asked(payments, victim.name()) > before + 3);
    victim.kill();
    processes.remove(victim);
    start(stack, payments);
  }

  private void bring(Stack stack, int count) throws Exception {
    var deployment = stack.deployment();
    try (var producer =
        new CellProducer(deployment.datacenter(Optional.empty()).kafka(), deployment.topics())) {
      for (int i = 0; i < count; i++) {
        var trip = UUID.randomUUID();
        trips.add(trip);
        var body = Body.ofJson("{\"fare\":{\"amount\":12.50,\"currency\":\"DKK\"}}");
        producer.send(new Cell(new CellKey(trip, "BASE", 1), body, Optional.empty()), place -> {});
      }
      producer.flush();
    }
  }

  private long charged(CellReader reader) throws Exception {
    long charged = 0;
    for (var trip : trips) {
      var latest = reader.latest(trip, "STATUS");
      if (latest.isPresent() && latest.get().cell().body().toJson().contains("\"charged\"")) {
        charged++;
      }
    }
    return charged;
  }

  private void assertChargedOnce(MySqlServer payments) {
    long charges =
        PaymentsTable.number(payments, "SELECT COUNT(*) FROM payments.attempts WHERE charged");
    long charged =
        PaymentsTable.number(
            payments, "SELECT COUNT(DISTINCT trip) FROM payments.attempts WHERE charged");
    long attempts = PaymentsTable.number(payments, "SELECT COUNT(*) FROM payments.attempts");
    long asked = PaymentsTable.number(payments, "SELECT SUM(asked) FROM payments.trips");
    long declined = trips.stream().filter(trip -> declinesOneInTenAtFirst(trip, 1)).count();
    System.out.printf(
        "%d trips, %d declined at first: asked for %d times, %d attempts, %d charged%n",
        TRIPS, declined, asked, attempts, charges);
    assertThat(charged).isEqualTo(TRIPS);
    assertThat(charges).isEqualTo(TRIPS);
    assertThat(attempts).isEqualTo(TRIPS + declined);
    // Else no kill came at a moment that matters.
    assertThat(asked).isGreaterThan(attempts);
  }

  private static void assertStatus(UUID trip, List<LogRecord> row) throws Exception {
    var statuses =
        row.stream()
            .map(LogRecord::cell)
            .filter(cell -> cell.key().columnName().equals("STATUS"))
            .toList();
    int attempts = declinesOneInTenAtFirst(trip, 1) ? 2 : 1;
    assertThat(statuses).hasSize(attempts);
    for (int number = 1; number <= attempts; number++) {
      var status = statuses.get(number - 1);
      var expected =
          "{\"state\":\"%s\",\"amount\":12.50,\"attempt\":%d}"
              .formatted(number == attempts ? "charged" : "declined", number);
      assertThat(status.key().refKey()).isEqualTo(number);
      assertThat(status.body().sameAs(Body.ofJson(expected)))
          .as("%s is %s", status.key(), status.body().toJson())
          .isTrue();
    }
  }
}
