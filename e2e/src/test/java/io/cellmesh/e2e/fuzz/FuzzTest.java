package io.cellmesh.e2e.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.EnvelopeReader;
import io.cellmesh.cell.Printable;
import io.cellmesh.e2e.fuzz.DataCenters.Fate;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** 20,000 records a run, half of them never seen before: a failure tells the seed to set. */
class FuzzTest {
  /** Of the first data centre's bodies, in bytes; small, so that it is met often. */
  static final int LIMIT = 3_000;

  private static final int EACH = 10_000;
  private static final long FIXED = 20160122;

  @Test
  void nothing_dies_and_what_one_data_centre_accepts_the_other_accepts() throws Exception {
    fuzz(FIXED);
  }

  @Test
  void nor_with_a_fresh_seed() throws Exception {
    fuzz(Long.getLong("cellmesh.fuzz.seed", new Random().nextLong()));
  }

  @ParameterizedTest
  @MethodSource("io.cellmesh.e2e.fuzz.PoisonRecords#all")
  void each_record_that_once_stopped_something_ends_as_it_should(PoisonRecords.Poisoned poison)
      throws Exception {
    try (var centers = new DataCenters(EnvelopeReader.DEFAULT_BODY_LIMIT, LIMIT)) {
      assertThat(centers.pass(poison)).isEqualTo(poison.reason());
    }
  }

  private static void fuzz(long seed) throws Exception {
    var envelopes = new RandomEnvelopes(seed);
    var fates = new EnumMap<Fate, Integer>(Fate.class);
    try (var centers = new DataCenters(LIMIT, 100)) {
      for (int i = 0; i < EACH; i++) {
        var drawn = envelopes.next();
        try {
          fates.merge(centers.pass(drawn), 1, Integer::sum);
        } catch (Exception | StackOverflowError | AssertionError e) {
          throw new AssertionError(
              "-Dcellmesh.fuzz.seed=%d, record %d: %s".formatted(seed, i, shown(drawn.value())), e);
        }
      }
    }
    assertThat(fates).as("what became of them, seed %d", seed).containsKeys(Fate.values());
    assertStored(fates, seed);
  }

  /** A fuzzer whose records are nearly all refused at the door finds nothing behind it. */
  private static void assertStored(Map<Fate, Integer> fates, long seed) {
    assertThat(fates.get(Fate.INDEXED)).as("seed %d: %s", seed, fates).isGreaterThan(EACH / 20);
    assertThat(fates.get(Fate.REJECTED)).as("seed %d: %s", seed, fates).isLessThan(EACH / 2);
  }

  private static String shown(byte[] value) {
    var text = new String(value, StandardCharsets.UTF_8);
    return Printable.of(text.substring(0, Math.min(text.length(), 2_000)));
  }
}
