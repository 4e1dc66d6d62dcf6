package io.cellmesh.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.deployment.Pass;
import io.cellmesh.devstack.shipped.PagePart;
import io.cellmesh.health.AppMetric;
import io.cellmesh.index.TopicCheck.UnusableException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PassesTest {
  private static final String INDEX =
      """
      table: %s
      version: %d
      datastore: trips
      column_defs:
        - column_key: BASE
          fields:
            - {field: driver, type: string}
      """;

  @TempDir private Path dir;

  private final List<String> events = new ArrayList<>();
  private final KeptPasses topic = new KeptPasses();
  private Path stateDir;
  private boolean failed;
  private boolean refusing;
  private Passes passes;

  @BeforeEach
  void open() {
    stateDir = dir.resolve("state");
    topic.create();
    passes = passes();
  }

  private Passes passes() {
    return new Passes(topic, new LocalState(stateDir, "trips-index-"), this::start);
  }

  @Test
  void aNewPassIsStartedOnceAndOneThatIsRemovedIsClosedAndItsStateRemoved() throws Exception {
    put("p1", index("by_driver", 1), index("by_driver", 2));
    passes.look();
    put("p2", index("by_city", 1));
    passes.look();
    passes.look();
    assertThat(events).containsExactly("start p1 [by_driver, by_driver.v2]", "start p2 [by_city]");

    topic.remove("p1");
    passes.look();
    assertThat(events).hasSize(3).last().isEqualTo("close p1");
    assertThat(passes.running()).containsOnlyKeys("p2");
    assertThat(state("p1")).doesNotExist();
    assertThat(state("p2")).isDirectory();
  }

  @Test
  void theStateOfAPassThatWasRemovedWhileNobodyLookedIsRemovedToo() throws Exception {
    Files.createDirectories(state("old").resolve("0_1"));
    topic.remove("old");
    passes.look();
    assertThat(state("old")).doesNotExist();
  }

  @Test
  void aPassThatCameAgainBeginsWithoutTheStateOfTheFormer() throws Exception {
    put("p1", index("by_driver", 1));
    passes.look();
    Files.createFile(state("p1").resolve("of the former"));
    topic.remove("p1");
    put("p1", index("by_city", 1));
    passes.look();
    assertThat(events).containsExactly("start p1 [by_driver]", "close p1", "start p1 [by_city]");
    assertThat(state("p1").resolve("of the former")).doesNotExist();
    passes.look();
    assertThat(events).hasSize(3);
  }

  @Test
  void anEmptyTopicAndStateThatItDoesNotMentionWipesNothing() throws Exception {
    Files.createDirectories(state("p1").resolve("0_1"));
    Files.createDirectories(stateDir.resolve("somebody-elses"));
    passes.look();
    put("p2", index("by_city", 1));
    passes.look();
    assertThat(state("p1").resolve("0_1")).isDirectory();
    assertThat(stateDir.resolve("somebody-elses")).isDirectory();
    assertThat(events).containsExactly("start p2 [by_city]");
  }

  @Test
  void whatRunsGoesOnWhileTheTopicCantBeReadIsGoneOrIsAnotherOne() throws Exception {
    put("p1", index("by_driver", 1));
    passes.look();

    topic.reachable(false);
    passes.look();
    assertThat(passes.unread()).contains("trips.passes: Kafka does not answer");
    assertThat(HealthReport.of(passes).metrics().text())
        .contains("cellmesh_index_passes_known 0.0\n", "cellmesh_index_up{pass=\"p1\"} 1.0\n");
    assertThat(HealthReport.of(passes).isGood()).isFalse();
    assertThat(HealthReport.of(passes).toJson())
        .startsWith("{\"status\":\"not ok\",\"why\":\"trips.passes: Kafka does not answer\",");
    topic.reachable(true);

    topic.delete();
    passes.look();
    assertThat(passes.unread().orElseThrow())
        .startsWith("there is no trips.passes; `cellmesh index publish`");

    topic.create();
    passes.look();
    put("p2", index("by_city", 1));
    failed = true;
    passes.look();
    failed = false;
    passes.look();
    assertThat(passes.unread()).isEmpty();
    assertThat(HealthReport.of(passes).isGood()).isTrue();
    assertThat(passes.running()).containsOnlyKeys("p1", "p2");
    assertThat(state("p1")).isDirectory();
    assertThat(events)
        .containsExactly(
            "start p1 [by_driver]", "close p1", "start p1 [by_driver]", "start p2 [by_city]");
  }

  @Test
  void aValueThatCantBeReadIsRefusedInWordsAndStopsNoOther() throws Exception {
    put("p1", index("by_driver", 1));
    topic.write("p2", "{}".getBytes(StandardCharsets.UTF_8));
    passes.look();
    assertThat(passes.running()).containsOnlyKeys("p1");
    assertThat(passes.refused()).containsOnlyKeys("p2");
    assertThat(passes.refused().get("p2")).hasMessage("trips.passes: offset 1: v: is missing");

    topic.write("p1", "{}".getBytes(StandardCharsets.UTF_8));
    put("p2", index("by_city", 1));
    passes.look();
    assertThat(passes.running()).containsOnlyKeys("p1", "p2");
    assertThat(passes.refused()).isEmpty();
  }

  @Test
  void aPassThatIsRefusedIsTriedAgainAndGoesWhenItIsRemoved() throws Exception {
    refusing = true;
    put("p1", index("by_driver", 1));
    put("p2", index("by_city", 1));
    passes.look();
    assertThat(passes.refused()).containsOnlyKeys("p1", "p2");
    refusing = false;
    topic.remove("p2");
    passes.look();
    assertThat(passes.running()).containsOnlyKeys("p1");
    assertThat(passes.refused()).isEmpty();
  }

  @Test
  void aPassThatFailedIsStartedAgain() throws Exception {
    put("p1", index("by_driver", 1));
    passes.look();
    failed = true;
    passes.look();
    assertThat(events).containsExactly("start p1 [by_driver]", "close p1", "start p1 [by_driver]");
  }

  @Test
  void theReportNamesEveryPass() throws Exception {
    put("p1", index("by_driver", 1));
    passes.look();
    assertThat(HealthReport.of(passes).isGood()).isTrue();
    assertThat(HealthReport.of(passes).toJson())
        .isEqualTo(
            "{\"status\":\"ok\",\"passes\":{\"p1\":{\"state\":\"RUNNING\",\"threads\":1,\"behind\":7,"
                + "\"lag_ms\":3,\"restoring\":0,\"records_to_restore\":0,\"unindexed\":2,\"deaths\":0}}}");
    assertThat(HealthReport.of(passes).metrics().text())
        .contains(
            "cellmesh_index_passes_known 1.0\n",
            "cellmesh_index_up{pass=\"p1\"} 1.0\n",
            "cellmesh_index_halted{pass=\"p1\"} 0.0\n",
            "cellmesh_index_state{pass=\"p1\",state=\"RUNNING\"} 1.0\n",
            "cellmesh_index_threads{pass=\"p1\"} 1.0\n",
            "cellmesh_index_records_behind{pass=\"p1\"} 7.0\n",
            "cellmesh_index_lag_seconds{pass=\"p1\"} 0.003\n",
            "cellmesh_index_unindexed_total{pass=\"p1\"} 2.0\n");

    topic.write("p2", new byte[0]);
    passes.look();
    assertThat(HealthReport.of(passes).isGood()).isFalse();
    assertThat(HealthReport.of(passes).toJson()).contains("\"status\":\"not ok\"", "REFUSED");
    assertThat(HealthReport.of(passes).metrics().text())
        .contains(
            "cellmesh_index_up{pass=\"p2\"} 0.0\n",
            "cellmesh_index_state{pass=\"p2\",state=\"REFUSED\"} 1.0\n");
  }

  @Test
  void every_metric_of_the_table_is_there_with_help_and_type() throws Exception {
    put("p1", index("by_driver", 1));
    passes.look();
    var text = HealthReport.of(passes).metrics().text();
    for (var metric : PassMetric.values()) {
      assertThat(text)
          .contains("# HELP %s %s\n".formatted(metric.metric(), metric.meaning()))
          .contains(
              "# TYPE %s %s\n"
                  .formatted(metric.metric(), metric.kind().name().toLowerCase(Locale.ROOT)));
    }
  }

  @Test
  void docs_indexes_md_lists_the_metrics_as_they_are() throws IOException {
    var page = Path.of(System.getProperty("cellmesh.home"), "docs/indexes.md");
    assertThat(page)
        .hasContent(
            PagePart.expected(
                page, "metrics", "PassMetric", AppMetric.markdown(PassMetric.values())));
  }

  private void put(String pass, IndexDefinition... definitions) {
    topic.put(new Pass(pass, List.of(definitions), false));
  }

  private static IndexDefinition index(String name, int version) {
    return IndexDefinition.parse(INDEX.formatted(name, version));
  }

  private Path state(String pass) {
    return stateDir.resolve("trips-index-" + pass);
  }

  private Passes.Running start(Pass pass) throws UnusableException {
    if (refusing) {
      throw new UnusableException("not now");
    }
    events.add(
        "start " + pass.name() + " " + pass.definitions().stream().map(d -> d.label()).toList());
    try {
      Files.createDirectories(stateDir.resolve(pass.applicationId("trips")).resolve("0_0"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return new Passes.Running() {
      @Override
      public boolean hasFailed() {
        return failed;
      }

      @Override
      public PassHealth health() {
        return new PassHealth("RUNNING", 1, 1, 7, OptionalLong.of(3), 0, 0, 2, 0, "");
      }

      @Override
      public void close() {
        events.add("close " + pass.name());
      }
    };
  }
}
