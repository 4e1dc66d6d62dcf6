package io.cellmesh.examples.billing;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.examples.billing.PaymentProvider.Attempt;
import java.math.BigDecimal;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A trip is charged at most once, whoever asks. */
class StandInProviderTest {
  private static final BigDecimal FARE = new BigDecimal("12.50");

  @Test
  void a_trip_that_many_ask_for_at_once_is_charged_once() {
    var provider = new StandInProvider((trip, number) -> number <= 3);
    var trip = UUID.randomUUID();

    IntStream.range(0, 1_000).parallel().forEach(i -> provider.charge(trip, FARE));

    assertThat(provider.charge(trip, FARE))
        .containsExactly(
            new Attempt(1, FARE, false),
            new Attempt(2, FARE, false),
            new Attempt(3, FARE, false),
            new Attempt(4, FARE, true));
  }

  @Test
  void what_is_asked_for_later_does_not_change_what_was_charged() {
    var provider = new StandInProvider((trip, number) -> false);
    var trip = UUID.randomUUID();
    provider.charge(trip, FARE);

    assertThat(provider.charge(trip, BigDecimal.ONE)).containsExactly(new Attempt(1, FARE, true));
  }

  @Test
  void one_card_in_ten_is_declined_at_first_and_never_again() {
    var trips = IntStream.range(0, 10_000).mapToObj(i -> UUID.randomUUID()).toList();

    assertThat(trips.stream().filter(t -> StandInProvider.declinesOneInTenAtFirst(t, 1)).count())
        .isBetween(800L, 1_200L);
    assertThat(trips).noneMatch(t -> StandInProvider.declinesOneInTenAtFirst(t, 2));
  }
}
