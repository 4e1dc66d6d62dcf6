package io.cellmesh.topics.load;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.topics.load.CsvReader.CsvRecord;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The cells of a CSV file with a header: the same file always gives the same cells.
 *
 * <p>A row's key is the UUID (version 5) of its line number and text, so that identical rows are
 * rows of their own; or that of one field, and then later rows of the same value are later versions
 * (ref_key 2, 3 …). What reads as a JSON number is one, exactly; what is empty is null. A name that
 * the header repeats gets a number.
 */
public final class CsvCells implements CellSequence {
  /** No leading zeros: 01970 is a postal code, not the number 1970. */
  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]{1,9})?");

  private static final JsonFactory JSON = new JsonFactory();

  private final CsvReader csv;
  private final List<String> header;
  private final List<String> renamed;
  private final CsvLayout layout;
  private final int keyField;
  private final Map<UUID, Long> versions = new HashMap<>();
  private final Queue<Cell> ready = new ArrayDeque<>();
  private long trips;

  /**
   * @param layout as {@link CsvLayout#parse} reads it; empty for all fields in BASE
   * @param key the field whose value makes the row key; empty for the row itself
   * @throws CsvException if the file has no usable header
   * @throws IllegalArgumentException if layout or key name a field that the file lacks
   */
  public CsvCells(Reader file, Optional<String> layout, Optional<String> key) throws IOException {
    this.csv = new CsvReader(file);
    var first = csv.next().orElseThrow(() -> new CsvException(1, "a header is needed"));
    var names = CsvHeader.of(first.fields());
    this.header = names.names();
    this.renamed = names.renamed();
    this.layout =
        layout.map(l -> CsvLayout.parse(l, header)).orElseGet(() -> CsvLayout.allInBase(header));
    this.keyField = key.map(header::indexOf).orElse(-1);
    if (key.isPresent() && keyField < 0) {
      throw new IllegalArgumentException(
          "key: the file has no field \"" + key.get() + "\"; it has " + header);
    }
  }

  /** The names that fields have got because the header repeats one, such as {@code fare_2}. */
  public List<String> renamed() {
    return renamed;
  }

  @Override
  public Optional<Cell> next() throws IOException, InvalidCellException {
    if (ready.isEmpty()) {
      var record = csv.next();
      if (record.isEmpty()) {
        return Optional.empty();
      }
      cells(record.get());
    }
    return Optional.of(ready.remove());
  }

  @Override
  public long trips() {
    return trips;
  }

  @Override
  public void close() throws IOException {
    csv.close();
  }

  private void cells(CsvRecord record) throws IOException, InvalidCellException {
    if (record.fields().size() != header.size()) {
      throw new CsvException(
          record.line(),
          "%d fields, the header has %d".formatted(record.fields().size(), header.size()));
    }
    var rowKey = rowKey(record);
    long refKey = keyField < 0 ? 1 : versions.merge(rowKey, 1L, Long::sum);
    trips += refKey == 1 ? 1 : 0;
    for (var column : layout.cells()) {
      var key = new CellKey(rowKey, column.name(), refKey);
      ready.add(new Cell(key, Body.ofJson(json(column.fields(), record)), Optional.empty()));
    }
  }

  private UUID rowKey(CsvRecord record) {
    var name = keyField < 0 ? record.line() + ":" + record.text() : record.fields().get(keyField);
    return NameUuid.of(NameUuid.CSV_ROWS, name);
  }

  private String json(List<String> fields, CsvRecord record) throws IOException {
    var text = new StringWriter();
    try (var out = JSON.createGenerator(text)) {
      out.writeStartObject();
      for (var field : fields) {
        out.writeFieldName(field);
        value(record.fields().get(header.indexOf(field)), out);
      }
      out.writeEndObject();
    }
    return text.toString();
  }

  private static void value(String value, JsonGenerator out) throws IOException {
    if (value.isEmpty()) {
      out.writeNull();
    } else if (NUMBER.matcher(value).matches()) {
      out.writeNumber(value);
    } else {
      out.writeString(value);
    }
  }
}
