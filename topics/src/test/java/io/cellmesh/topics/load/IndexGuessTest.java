package io.cellmesh.topics.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Cell;
import io.cellmesh.cell.index.FieldType;
import io.cellmesh.cell.index.IndexDefinition;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class IndexGuessTest {

  @Test
  void theShardFieldIsTheTextThatHasMostValuesAndStillRepeats() throws Exception {
    var yaml =
        IndexGuess.of(
            "trips",
            cells(
                "at,zone,fare,color\nt1,A,1,red\nt2,B,2.5,red\nt3,A,3,red\nt4,B,4,green\nt5,C,5,red\nt6,C,,red\n"));

    var definition = IndexDefinition.parse(yaml.orElseThrow());
    assertThat(definition.shardField().name()).isEqualTo("zone");
    assertThat(definition.fields())
        .filteredOn(f -> f.name().equals("fare"))
        .singleElement()
        .satisfies(f -> assertThat(f.type()).isEqualTo(FieldType.DECIMAL));
  }

  @Test
  void withoutATextThatRepeatsThereIsNone() throws Exception {
    assertThat(IndexGuess.of("trips", cells("a,b\n1,x\n2,y\n"))).isEmpty();
    assertThat(IndexGuess.of("trips", List.of())).isEmpty();
  }

  private static List<Cell> cells(String csv) throws Exception {
    var cells = new ArrayList<Cell>();
    try (var source = new CsvCells(new StringReader(csv), Optional.empty(), Optional.empty())) {
      for (var next = source.next(); next.isPresent(); next = source.next()) {
        cells.add(next.get());
      }
    }
    return cells;
  }
}
