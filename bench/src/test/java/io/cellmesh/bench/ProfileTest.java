package io.cellmesh.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.bench.Profile.Sample;
import io.cellmesh.bench.Profile.Share;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProfileTest {
  private static final Round ROUND = new Round(1, 1, 1, Map.of(), 0, 0, 0);

  @Test
  void samples_are_shared_out_by_package_frame_and_own_method() {
    var samples =
        List.of(
            new Sample(
                List.of("java.util.zip.Deflater.deflate", "io.us.Body.write", "io.us.A.put")),
            new Sample(
                List.of("java.util.zip.Deflater.deflate", "io.us.Body.write", "io.us.A.put")),
            new Sample(List.of("io.us.A.put", "io.us.A.put")),
            new Sample(List.of("java.util.HashMap.get", "io.them.B.run")));

    var profile = Profile.of("ours", ROUND, List.of(), samples, "io.us.");

    assertThat(profile.packages())
        .containsExactly(
            new Share("java.util.zip", 0.5),
            new Share("io.us", 0.25),
            new Share("java.util", 0.25));
    assertThat(profile.frames())
        .startsWith(new Share("java.util.zip.Deflater.deflate", 0.5))
        .hasSize(3);
    assertThat(profile.nearest())
        .containsExactly(new Share("io.us.Body.write", 0.5), new Share("io.us.A.put", 0.25));
    assertThat(profile.within())
        .containsExactly(new Share("io.us.A.put", 0.75), new Share("io.us.Body.write", 0.5));
  }

  @Test
  void threads_that_did_next_to_nothing_are_left_out() {
    var threads = List.of(new ThreadUse("task", 3, 1), new ThreadUse("timer", 0.01, 0));

    var profile = Profile.of("ours", ROUND, threads, List.of(), "io.us.");

    assertThat(profile.threads()).extracting(ThreadUse::name).containsExactly("task");
  }
}
