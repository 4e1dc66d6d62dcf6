package io.cellmesh.deployment.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.MeshPlace;
import io.cellmesh.cell.RememberedLog;
import io.cellmesh.deployment.Seed;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is said over HTTP of a seed before any of it is sent. */
class SeedAnswerTest {
  private static final RememberedLog LOG = new RememberedLog("kafka-of-dc2", "log-id");
  private static final Seed SEED =
      new Seed(
          new RememberedLog("kafka-of-dc2", "seed-id"),
          List.of(
              new Seed.Part(0, Optional.of(new MeshPlace(LOG, 700)), true, Optional.empty(), 0, 9),
              new Seed.Part(1, Optional.of(new MeshPlace(LOG, 0)), false, Optional.empty(), 2, 3),
              new Seed.Part(2, Optional.empty(), false, Optional.empty(), 0, 0)));

  @Test
  void an_answer_is_read_as_it_was_written() {
    var answer = new SeedAnswer(Optional.of(SEED));
    assertThat(answer.toJson())
        .isEqualTo(
            "{\"cluster\":\"kafka-of-dc2\",\"log\":\"seed-id\",\"parts\":["
                + "{\"log\":{\"cluster\":\"kafka-of-dc2\",\"log\":\"log-id\",\"next\":700},\"complete\":true,\"begin\":0,\"end\":9},"
                + "{\"log\":{\"cluster\":\"kafka-of-dc2\",\"log\":\"log-id\",\"next\":0},\"complete\":false,\"begin\":2,\"end\":3},"
                + "{\"complete\":false,\"begin\":0,\"end\":0}]}");
    assertThat(SeedAnswer.parse(answer.toJson())).contains(answer);
  }

  @Test
  void that_there_is_none_is_an_answer_and_something_else_is_not() {
    var none = new SeedAnswer(Optional.empty());
    assertThat(SeedAnswer.parse(none.toJson())).contains(none);
    for (var text : List.of("", "{", "{}", "{\"parts\":1}", "{\"parts\":[{\"complete\":true}]}")) {
      assertThat(SeedAnswer.parse(text)).as(text).isEmpty();
    }
  }
}
