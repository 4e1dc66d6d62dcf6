package io.cellmesh.terminal;

import io.cellmesh.cell.proof.Difference;
import io.cellmesh.cell.proof.Verdict;
import io.cellmesh.operations.mesh.CellDifference;
import io.cellmesh.operations.mesh.LinkPlace;
import io.cellmesh.operations.mesh.LinkProof;
import io.cellmesh.operations.mesh.TableProof;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How it reads whether data centres agree.
 *
 * @param links of each origin and each other data centre
 * @param setbacks data centres that have lost cells of their own, in sentences
 * @param unsunk cells of peers that a data centre's sink has not passed, by the data centre
 * @param tables what was found in the tables of each data centre
 */
public record MeshReport(
    List<LinkProof> links,
    List<String> setbacks,
    Map<String, Long> unsunk,
    List<TableProof> tables) {
  private static final int TOLD = 20;

  public MeshReport {
    links = List.copyOf(links);
    tables = List.copyOf(tables);
    setbacks = List.copyOf(setbacks);
  }

  /** Of data centres whose tables and sinks were not asked. */
  public MeshReport(List<LinkProof> links) {
    this(links, List.of(), Map.of(), List.of());
  }

  /** Whether all agree. */
  public boolean agree() {
    return setbacks.isEmpty()
        && links.stream().allMatch(LinkProof::agrees)
        && tables.stream().allMatch(TableProof::agrees);
  }

  /**
   * Prints a line a link, and below what differs.
   *
   * @param json whether as a JSON document
   */
  public void print(Console console, boolean json) {
    if (json) {
      console.json(document());
      return;
    }
    var table =
        Table.of(
            "of", "in", "agree>", "waiting>", "for>", "repeats>", "conflicts>", "differences>", "");
    links.forEach(link -> row(console, table, link));
    console.table(table);
    links.forEach(link -> differences(console, link));
    tables.forEach(found -> new TableReport(found).print(console));
    setbacks.forEach(setback -> console.line(console.style(Style.RED, setback)));
    unsunk.forEach(
        (datacenter, cells) -> {
          if (cells > 0) {
            console.line(
                "in %s: %s of its peers wait for its sink; links bring more as it takes them"
                    .formatted(datacenter, Texts.count(cells, "cell")));
          }
        });
  }

  /** The same for machines. */
  public Map<String, Object> document() {
    var document = new LinkedHashMap<String, Object>();
    document.put("agree", agree());
    document.put("links", links.stream().map(MeshReport::document).toList());
    document.put("setbacks", setbacks);
    document.put("unsunk_cells", unsunk);
    document.put(
        "tables", tables.stream().map(found -> new TableReport(found).document()).toList());
    return document;
  }

  /** Prints cells that a data centre has otherwise, a line each; returns whether that is right. */
  public static boolean printCells(Console console, List<CellDifference> cells) {
    for (var cell : cells) {
      console.line(text(console, cell));
    }
    if (cells.isEmpty()) {
      console.line("no cell differs");
    }
    return cells.stream().noneMatch(CellDifference::wrong);
  }

  /** Prints which links are halted by their places, and why; returns whether none is. */
  public static boolean printPlaces(Console console, List<LinkPlace> places) {
    var halted = places.stream().filter(place -> !place.findings().isEmpty()).toList();
    for (var place : halted) {
      console.line("%s is halted:".formatted(place.name()));
      place.findings().forEach(finding -> console.line("  " + finding));
      console.note("`%s` goes on without what is lost".formatted(place.acceptance()));
    }
    if (halted.isEmpty()) {
      console.line(
          places.size() == 1
              ? "the link can go on"
              : "%d links can go on".formatted(places.size()));
    }
    return halted.isEmpty();
  }

  private static Map<String, Object> document(CellDifference cell) {
    var document = new LinkedHashMap<String, Object>();
    document.put("kind", cell.kind().text());
    document.put("wrong", cell.kind().wrong());
    document.put("shard", cell.shard());
    document.put("origin_id", cell.originId());
    document.put("row_key", cell.key().rowKey().toString());
    document.put("column_name", cell.key().columnName());
    document.put("ref_key", cell.key().refKey());
    cell.there().ifPresent(digest -> document.put("digest_there", digest));
    cell.here().ifPresent(digest -> document.put("digest_here", digest));
    return document;
  }

  private static void row(Console console, Table table, LinkProof link) {
    if (link.verdict().isEmpty()) {
      table.row(link.origin(), link.datacenter(), "", "", "", "", "", "", mark(console, link));
      return;
    }
    var verdict = link.verdict().get();
    table.row(
        link.origin(),
        link.datacenter(),
        Texts.count(verdict.agreed()),
        Texts.count(verdict.waiting()),
        verdict.waiting() == 0 ? "" : Texts.age(link.lag().toMillis()),
        Texts.count(verdict.repeats()),
        Texts.count(link.conflicts()),
        Texts.count(link.differences()),
        mark(console, link));
  }

  private static String mark(Console console, LinkProof link) {
    if (link.agrees() && link.hold().isPresent()) {
      return console.style(Style.YELLOW, "-");
    }
    return link.agrees() ? console.style(Style.GREEN, "✓") : console.style(Style.RED, "✗");
  }

  private static void differences(Console console, LinkProof link) {
    link.hold()
        .ifPresent(
            hold ->
                console.line(
                    "%s in %s: %s".formatted(link.origin(), link.datacenter(), hold.text())));
    link.doubt()
        .ifPresent(
            doubt ->
                console.line(
                    "%s in %s is not proved: %s"
                        .formatted(link.origin(), link.datacenter(), doubt)));
    link.verdict().map(Verdict::differences).orElse(List.of()).stream()
        .limit(TOLD)
        .forEach(found -> console.line("in %s: %s".formatted(link.datacenter(), found.text())));
    link.lost().stream()
        .limit(TOLD)
        .forEach(
            cell ->
                console.line(
                    "in %s: %s %s"
                        .formatted(link.datacenter(), link.origin(), text(console, cell))));
    if (link.unexamined() > 0) {
      console.line(
          "in %1$s: %2$s of %3$s more that the log has not were not looked up; `cellmesh mesh diff` does, where the brokers of %1$s are in reach"
              .formatted(link.datacenter(), Texts.count(link.unexamined(), "cell"), link.origin()));
    }
  }

  private static String text(Console console, CellDifference cell) {
    return "%s shard %d, origin_id %d: %s%s%s"
        .formatted(
            console.style(cell.kind().wrong() ? Style.RED : Style.YELLOW, cell.kind().text()),
            cell.shard(),
            cell.originId(),
            cell.key(),
            cell.there().map(digest -> ", there " + digest).orElse(""),
            cell.here().map(digest -> ", here " + digest).orElse(""));
  }

  private static Map<String, Object> document(LinkProof link) {
    var document = new LinkedHashMap<String, Object>();
    document.put("origin", link.origin());
    document.put("datacenter", link.datacenter());
    document.put("agree", link.agrees());
    link.hold().ifPresent(hold -> document.put("held", hold.text()));
    link.doubt().ifPresent(doubt -> document.put("doubt", doubt));
    link.verdict()
        .ifPresent(
            verdict -> {
              document.put("agreed_cells", verdict.agreed());
              document.put("held_cells", verdict.held());
              document.put("waiting_cells", verdict.waiting());
              document.put("lag_seconds", link.lag().toMillis() / 1e3);
              document.put("repeats", verdict.repeats());
              document.put("conflicts", link.conflicts());
              document.put("accepted_by_both", link.acceptedByBoth());
              document.put("not_looked_up", link.unexamined());
              verdict
                  .provenAt()
                  .ifPresent(at -> document.put("proven_at", Instant.ofEpochMilli(at).toString()));
              document.put("agreed_to", verdict.agreedTo());
              document.put(
                  "differences", verdict.differences().stream().map(MeshReport::document).toList());
            });
    document.put("lost", link.lost().stream().map(MeshReport::document).toList());
    return document;
  }

  static Map<String, Object> document(Difference found) {
    var document = new LinkedHashMap<String, Object>();
    document.put("origin", found.cells().origin());
    document.put("kind", found.kind().text());
    document.put("in", found.in().text());
    document.put("generation", found.cells().generation());
    document.put("shard", found.cells().shard());
    document.put("first", found.first());
    document.put("last", found.last());
    document.put("count", found.count());
    return document;
  }
}
