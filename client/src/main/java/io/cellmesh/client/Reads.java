package io.cellmesh.client;

import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.EnvelopeReader;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.LogRecord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;

/** Reads the cells that workers answer with. */
final class Reads {
  private static final int OK = 200;
  private static final int ABSENT = 404;

  private Reads() {}

  /**
   * The answer to a GET. That a cell is absent is said by a server, whose name comes with it; an
   * instance that is absent has none.
   */
  static Optional<ReadResult> single(Lookup lookup, Reply reply) throws WrongAnswerException {
    var server = reply.header(WorkerApi.SERVED_BY_HEADER);
    if (reply.status() == ABSENT && server.isPresent()) {
      return Optional.of(new ReadResult(List.of(), source(server.get(), reply)));
    }
    if (reply.status() != OK) {
      return Optional.empty();
    }
    if (server.isEmpty()) {
      throw new WrongAnswerException("no header " + WorkerApi.SERVED_BY_HEADER);
    }
    var cells = lookup.isRow() ? reply.body().fields().elements("cells") : List.of(reply.body());
    return Optional.of(
        new ReadResult(cells(cells, lookup.row(), lookup::admits), source(server.get(), reply)));
  }

  /** One key's part of the answer to a batch. */
  static Outcome<ReadResult> part(Lookup lookup, Part json) throws WrongAnswerException {
    var fields = json.fields();
    int status = Numbers.integer(fields, "status");
    var server = fields.text("served_by");
    if (status != OK && (status != ABSENT || server.isEmpty())) {
      return failed(lookup.toString(), status, fields.part("problem"));
    }
    var cells = cells(fields.elements("cells"), lookup.row(), lookup::admits);
    return new Outcome.Done<>(
        new ReadResult(cells, Source.of(server.orElse(""), fields.text("stale_up_to"))));
  }

  /** A part of a batch that is not done. */
  static <T> Outcome<T> failed(String subject, int status, Optional<Part> json)
      throws WrongAnswerException {
    var problem = json.isPresent() ? Problem.read(status, json.get()) : Problem.of(status, "");
    return new Outcome.Failed<>(CellmeshException.told(subject, problem, Optional.empty()));
  }

  /** The answer to a question to an index. */
  static Optional<IndexPage> page(Reply reply) throws WrongAnswerException {
    if (reply.status() != OK) {
      return Optional.empty();
    }
    var page = reply.body().fields();
    if (page.part("entries").isEmpty()) {
      throw new WrongAnswerException("entries is missing");
    }
    var entries = new ArrayList<PageEntry>();
    for (var entry : page.elements("entries")) {
      entries.add(entry(entry.fields()));
    }
    return Optional.of(
        new IndexPage(
            entries,
            page.text("next"),
            reply.header(WorkerApi.SERVED_BY_HEADER).map(Reads::listed).orElse(List.of()),
            reply.header(WorkerApi.STALE_UP_TO_HEADER).flatMap(Source::bound)));
  }

  private static List<String> listed(String servers) {
    return Arrays.stream(servers.split(",")).map(String::strip).toList();
  }

  private static PageEntry entry(Part.Fields entry) throws WrongAnswerException {
    var row = uuid(entry.required("row_key"));
    var fields = entry.part("fields");
    if (fields.isEmpty()) {
      throw new WrongAnswerException("fields is missing");
    }
    return new PageEntry(
        row, fields.get().texts(), cells(entry.elements("cells"), row, key -> true));
  }

  private static UUID uuid(String text) throws WrongAnswerException {
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException e) {
      throw new WrongAnswerException("row_key: no UUID");
    }
  }

  private static Source source(String server, Reply reply) {
    return Source.of(server, reply.header(WorkerApi.STALE_UP_TO_HEADER));
  }

  private static List<LogRecord> cells(List<Part> parts, UUID row, Predicate<CellKey> asked)
      throws WrongAnswerException {
    var key = row.toString().getBytes(StandardCharsets.US_ASCII);
    var cells = new ArrayList<LogRecord>(parts.size());
    try (var reader = EnvelopeReader.lenient()) {
      for (var part : parts) {
        var cell = reader.readLog(key, part.bytes());
        if (!asked.test(cell.cell().key())) {
          throw new WrongAnswerException("a cell that was not asked for");
        }
        cells.add(cell);
      }
      return cells;
    } catch (InvalidCellException e) {
      throw new WrongAnswerException(e.getMessage());
    }
  }
}
