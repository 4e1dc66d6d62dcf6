package io.cellmesh.deployment.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.MeshIdentity;
import io.cellmesh.cell.RememberedLog;
import io.cellmesh.cell.Shards;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is asked and answered over HTTP before any cell is sent. */
class LogAnswerTest {
  private static final RememberedLog LOG = new RememberedLog("kafka-of-dc2", "topic-id");
  private static final LogAnswer ANSWER =
      new LogAnswer(
          new MeshIdentity("dc2", "trips", new Shards(64, 2)),
          LOG,
          3,
          List.of(0L, 5L),
          List.of(7L, 5L));

  @Test
  void an_answer_is_read_as_it_was_written() {
    assertThat(ANSWER.toJson())
        .isEqualTo(
            "{\"datacenter\":\"dc2\",\"instance\":\"trips\",\"shards\":64,\"partitions\":2,"
                + "\"cluster\":\"kafka-of-dc2\",\"log\":\"topic-id\",\"generation\":3,"
                + "\"begins\":[0,5],\"ends\":[7,5]}");
    assertThat(LogAnswer.parse(ANSWER.toJson())).contains(ANSWER);
    assertThat(LogAnswer.parse(ANSWER.toJson().replace("{", "{\"later\":1,"))).contains(ANSWER);
  }

  @Test
  void an_older_herb_replicator_says_nothing_of_generations() {
    var older = ANSWER.toJson().replace("\"generation\":3,", "");
    assertThat(LogAnswer.parse(older).orElseThrow().generation()).isEqualTo(1);
  }

  @Test
  void an_answer_that_lacks_something_is_none() {
    for (var part : List.of("cluster", "datacenter", "\"ends\":[7,5]", "[0,5]", "{")) {
      assertThat(LogAnswer.parse(ANSWER.toJson().replace(part, ""))).as(part).isEmpty();
    }
    assertThat(LogAnswer.parse(ANSWER.toJson().replace("[0,5]", "[0,\"5\"]"))).isEmpty();
    assertThat(LogAnswer.parse("")).isEmpty();
  }

  @Test
  void a_question_is_read_as_it_was_written() {
    var question = new LogQuestion(LOG, Map.of(0, 812L, 1, 0L));
    assertThat(question.toJson())
        .isEqualTo(
            "{\"cluster\":\"kafka-of-dc2\",\"log\":\"topic-id\",\"next\":{\"0\":812,\"1\":0}}");
    assertThat(LogQuestion.parse(question.toJson())).contains(question);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"cluster\":\"c\",\"next\":{\"0\":1}}",
        "{\"cluster\":\"c\",\"log\":\"l\",\"next\":{\"0\":-1}}",
        "{\"cluster\":\"c\",\"log\":\"l\",\"next\":{\"x\":1}}",
        "{\"cluster\":\"c\",\"log\":\"l\",\"next\":{\"0\":\"1\"}}",
        "{",
        ""
      })
  void what_is_no_question_is_none(String text) {
    assertThat(LogQuestion.parse(text)).isEmpty();
  }
}
