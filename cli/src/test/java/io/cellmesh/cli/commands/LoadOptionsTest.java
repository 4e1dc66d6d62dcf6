package io.cellmesh.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class LoadOptionsTest {
  @TempDir Path dir;

  @Test
  void aHeaderThatRepeatsANameIsToldOfInOneLine() throws Exception {
    var file = Files.writeString(dir.resolve("trips.csv"), "lat,lon,lat,lat\n1,2,3,4\n");
    var options = CommandLine.populateCommand(new LoadOptions(), "--input=" + file);
    var remarks = new ArrayList<String>();

    try (var cells = options.openForDemo(remarks::add)) {
      assertThat(cells.probes()).isEmpty();
    }
    options.sample();

    assertThat(remarks)
        .containsExactly(
            "the header of " + file + " repeats names; the fields are loaded as lat_2, lat_3");
  }
}
