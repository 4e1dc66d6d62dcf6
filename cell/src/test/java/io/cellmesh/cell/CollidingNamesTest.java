package io.cellmesh.cell;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.index.LogCell;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A mebibyte of names that were chosen to have one hash costs about what other names cost. Times
 * are those of the processor, and compared with each other, so that a busy machine does no harm.
 */
class CollidingNamesTest {
  private static final int MIB = 1 << 20;
  private static final int MOST_TIMES = 12;
  private static final UUID ROW = new UUID(1, 2);

  /** Whose hash the names collide in. */
  enum Hash {
    STRING {
      /** "Aa" and "BB" have one hash, and so have all words of them of one length. */
      @Override
      List<String> names() {
        var names = new ArrayList<String>();
        for (int i = 0; i < MIB / 37; i++) {
          var name = new StringBuilder();
          for (int bit = 0; bit < 16; bit++) {
            name.append((i >> bit & 1) == 0 ? "Aa" : "BB");
          }
          names.add(name.toString());
        }
        return names;
      }
    },
    JACKSON {
      /** Its hash of eight bytes adds the second four to a mix of the first before it is salted. */
      @Override
      List<String> names() {
        int inverse = 1;
        for (int i = 0; i < 5; i++) {
          inverse *= 2 - 33 * inverse;
        }
        var random = new Random(1);
        var names = new ArrayList<String>();
        while (names.size() < MIB / 13) {
          int first = 0;
          for (int i = 0; i < 4; i++) {
            first = first << 8 | '#' + random.nextInt(57);
          }
          int mixed = first + (first >>> 15);
          mixed ^= mixed >>> 9;
          var name = text(first) + text((12345 - mixed) * inverse);
          if (name.chars().allMatch(c -> c >= '#' && c < 127 && c != '\\')) {
            names.add(name);
          }
        }
        return names.stream().distinct().toList();
      }

      private String text(int quad) {
        var bytes =
            new byte[] {(byte) (quad >> 24), (byte) (quad >> 16), (byte) (quad >> 8), (byte) quad};
        return new String(bytes, ISO_8859_1);
      }
    };

    abstract List<String> names();
  }

  @ParameterizedTest
  @EnumSource(Hash.class)
  void names_that_collide_cost_what_others_cost(Hash hash) throws Exception {
    var colliding = hash.names();
    var plain = plain(colliding);
    try (var reader = new EnvelopeReader(EnvelopeReader.MAX_BODY_LIMIT)) {
      compare("reading", plain, colliding, names -> reader.readCell(key(), envelope(names)));
    }
    var fields = Map.of("BASE", Set.of("driver"));
    compare("indexing", plain, colliding, names -> LogCell.read(envelope(names), fields));
    var all = Map.of("BASE", Set.<String>of(colliding.get(0), plain.get(0)));
    compare("projecting", plain, colliding, names -> LogCell.read(envelope(names), all));
    compare(
        "comparing",
        plain,
        colliding,
        names -> {
          var turned = new ArrayList<>(names);
          Collections.reverse(turned);
          return Body.ofJson(body(names)).sameAs(Body.ofJson(body(turned)));
        });
  }

  @FunctionalInterface
  private interface NamesFunction {
    Object of(List<String> names) throws Exception;
  }

  private static void compare(
      String what, List<String> plain, List<String> colliding, NamesFunction function)
      throws Exception {
    function.of(plain);
    long usual = best(() -> function.of(plain));
    long now = best(() -> function.of(colliding));
    assertThat(now).as(what + ", in nanoseconds of the processor").isLessThan(MOST_TIMES * usual);
  }

  private static long best(Callable<?> work) throws Exception {
    var threads = ManagementFactory.getThreadMXBean();
    long best = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      long begun = threads.getCurrentThreadCpuTime();
      work.call();
      best = Math.min(best, threads.getCurrentThreadCpuTime() - begun);
    }
    return best;
  }

  /** As many names of the same lengths. */
  private static List<String> plain(List<String> names) {
    var plain = new ArrayList<String>();
    var random = new Random(2);
    for (var name : names) {
      var other = new StringBuilder(Integer.toString(1_000_000 + plain.size()));
      while (other.length() < name.length()) {
        other.append((char) ('a' + random.nextInt(26)));
      }
      plain.add(other.toString());
    }
    return plain;
  }

  private static byte[] key() {
    return ROW.toString().getBytes(US_ASCII);
  }

  private static byte[] envelope(List<String> names) {
    return "{\"row_key\":\"%s\",\"column_name\":\"BASE\",\"ref_key\":1,\"body\":%s}"
        .formatted(ROW, body(names))
        .getBytes(UTF_8);
  }

  private static String body(List<String> names) {
    var body = new StringBuilder("{");
    for (var name : names) {
      body.append(body.length() == 1 ? "\"" : ",\"").append(name).append("\":1");
    }
    return body.append('}').toString();
  }
}
