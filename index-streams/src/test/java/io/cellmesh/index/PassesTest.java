package io.cellmesh.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
  private Path directory;
  private Path stateDir;
  private boolean failed;
  private Passes passes;

  @BeforeEach
  void open() throws IOException {
    directory = Files.createDirectory(dir.resolve("indexes"));
    stateDir = dir.resolve("state");
    passes = new Passes(directory, "trips", new LocalState(stateDir, "trips-index-"), this::start);
  }

  @Test
  void aNewPassIsStartedOnceAndOneThatIsGoneIsClosedAndItsStateRemoved() throws Exception {
    define("p1", "by_driver", 1);
    define("p1", "by_driver", 2);
    passes.look();
    define("p2", "by_city", 1);
    passes.look();
    passes.look();
    assertThat(events).containsExactly("start p1 [by_driver, by_driver.v2]", "start p2 [by_city]");

    vanish("p1");
    passes.look();
    assertThat(events).hasSize(3).last().isEqualTo("close p1");
    assertThat(passes.running()).containsOnlyKeys("p2");
    assertThat(stateDir.resolve("trips-index-p1")).doesNotExist();
    assertThat(stateDir.resolve("trips-index-p2")).isDirectory();
  }

  @Test
  void theStateOfAPassThatWentWhileNobodyLookedIsRemovedToo() throws Exception {
    Files.createDirectories(stateDir.resolve("trips-index-old/0_1"));
    Files.createDirectories(stateDir.resolve("somebody-elses"));
    passes.look();
    assertThat(stateDir.resolve("trips-index-old")).doesNotExist();
    assertThat(stateDir.resolve("somebody-elses")).isDirectory();
  }

  @Test
  void aPassThatIsStillBeingWrittenDoesNotCount() throws Exception {
    define(".p1", "by_driver", 1);
    passes.look();
    assertThat(events).isEmpty();
    Files.move(directory.resolve(".p1"), directory.resolve("p1"));
    passes.look();
    assertThat(events).containsExactly("start p1 [by_driver]");
  }

  @Test
  void aPassWithAFaultIsRefusedWithFileLineAndRuleAndStopsNoOther() throws Exception {
    define("p1", "by_driver", 1);
    define("p2", "By Driver", 1);
    Files.createDirectory(directory.resolve("p3"));
    Files.createDirectory(directory.resolve("P 4"));
    passes.look();
    assertThat(passes.running()).containsOnlyKeys("p1");
    assertThat(passes.refused()).containsOnlyKeys("p2", "p3", "P 4");
    assertThat(passes.refused().get("p2"))
        .hasMessageContaining("p2/By Driver.v1.yaml: line 1: table: \"By Driver\" is not 1 to 48");
    assertThat(passes.refused().get("p3")).hasMessageEndingWith("p3: holds no definition (*.yaml)");
    assertThat(passes.refused().get("P 4")).hasMessageContaining("the name of a pass is 1 to 48");

    vanish("p2");
    define("p2", "by_city", 1);
    vanish("p3");
    passes.look();
    assertThat(passes.running()).containsOnlyKeys("p1", "p2");
    assertThat(passes.refused()).containsOnlyKeys("P 4");
  }

  @Test
  void aDefinitionOfAnotherInstanceOrGivenTwiceIsRefused() throws Exception {
    Files.createDirectory(directory.resolve("p1"));
    var file = directory.resolve("p1/a.yaml");
    Files.writeString(file, INDEX.formatted("a", 1).replace("trips", "orders"));
    passes.look();
    assertThat(passes.refused().get("p1"))
        .hasMessage(file + ": datastore: \"orders\" is not this topology's instance, trips");
    Files.writeString(file, INDEX.formatted("a", 1));
    Files.writeString(directory.resolve("p1/b.yaml"), INDEX.formatted("a", 1));
    passes.look();
    assertThat(passes.refused().get("p1")).hasMessageEndingWith("is given twice in this version");
  }

  @Test
  void aFileCalledBackfillAddsTheTopicOfThePass() throws Exception {
    define("p1", "by_driver", 1);
    Files.createFile(directory.resolve("p1/backfill"));
    var pass = Pass.read(directory.resolve("p1"), "trips");
    var topics = new Topics("trips");
    assertThat(pass.sources(topics))
        .containsExactlyInAnyOrder("trips.log", "trips.index-backfill.p1");
    assertThat(pass.outputs(topics)).containsExactly("trips.index.by_driver");
  }

  @Test
  void aPassThatFailedIsStartedAgain() throws Exception {
    define("p1", "by_driver", 1);
    passes.look();
    failed = true;
    passes.look();
    assertThat(events).containsExactly("start p1 [by_driver]", "close p1", "start p1 [by_driver]");
  }

  @Test
  void whatRunsGoesOnWhileTheDirectoryCantBeRead() throws Exception {
    define("p1", "by_driver", 1);
    passes.look();
    Files.move(directory, dir.resolve("elsewhere"));
    assertThatThrownBy(passes::look).isInstanceOf(IOException.class);
    assertThat(passes.running()).containsOnlyKeys("p1");
    assertThat(stateDir.resolve("trips-index-p1")).isDirectory();
  }

  @Test
  void theReportNamesEveryPass() throws Exception {
    define("p1", "by_driver", 1);
    passes.look();
    assertThat(HealthReport.of(passes).isGood()).isTrue();
    assertThat(HealthReport.of(passes).toJson())
        .isEqualTo(
            "{\"status\":\"ok\",\"passes\":{\"p1\":{\"state\":\"RUNNING\",\"threads\":1,\"behind\":7,"
                + "\"lag_ms\":3,\"restoring\":0,\"records_to_restore\":0,\"unindexed\":2,\"deaths\":0}}}");
    assertThat(HealthReport.of(passes).toMetrics())
        .contains("cellmesh_index_up{pass=\"p1\"} 1\n", "cellmesh_index_behind{pass=\"p1\"} 7\n");

    Files.createDirectory(directory.resolve("p2"));
    passes.look();
    assertThat(HealthReport.of(passes).isGood()).isFalse();
    assertThat(HealthReport.of(passes).toJson()).contains("\"status\":\"not ok\"", "REFUSED");
  }

  private void define(String pass, String index, int version) throws IOException {
    Files.createDirectories(directory.resolve(pass));
    Files.writeString(
        directory.resolve(pass).resolve(index + ".v" + version + ".yaml"),
        INDEX.formatted(index, version));
  }

  private void vanish(String pass) throws IOException {
    try (var files = Files.walk(directory.resolve(pass))) {
      for (var file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(file);
      }
    }
  }

  private Passes.Running start(Pass pass) {
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
