package io.cellmesh.terminal;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import io.cellmesh.cell.proof.TableVerdict;
import io.cellmesh.operations.mesh.TableProof;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How it reads what was found in the tables of a data centre.
 *
 * @param tables of one data centre
 */
record TableReport(TableProof tables) {
  /** Servers that are named beside each other. */
  private static final int NAMED = 5;

  /** What is known of a server, over all partitions. */
  private static final class OfServer {
    private final List<Map<String, Object>> differences = new ArrayList<>();
    private long rows;
    private long found;
    private String unread = "";
  }

  void print(Console console) {
    console.line(summary());
    for (var verdict : tables.verdicts()) {
      for (var server : verdict.servers()) {
        server
            .differences()
            .forEach(
                found ->
                    console.line(
                        "in %s: %s, at %s"
                            .formatted(
                                tables.datacenter(),
                                console.style(Style.RED, found.text()),
                                server.address())));
        long more = server.found() - server.differences().size();
        if (more > 0) {
          console.line(
              "in %s: %s more in the tables at %s, in shards of partition %d"
                  .formatted(
                      tables.datacenter(),
                      Texts.count(more, "difference"),
                      server.address(),
                      verdict.partition()));
        }
      }
    }
    var doubts = tables.doubts();
    byServer()
        .forEach(
            (address, server) -> {
              if (!server.unread.isEmpty() && !doubts.containsKey(address)) {
                console.line(
                    "in %s: the tables at %s were not read: %s"
                        .formatted(tables.datacenter(), address, server.unread));
              }
            });
    if (!tables.verdicts().isEmpty()) {
      doubts.entrySet().stream()
          .collect(
              groupingBy(Map.Entry::getValue, TreeMap::new, mapping(Map.Entry::getKey, toList())))
          .forEach((why, servers) -> console.line(doubt(why, servers)));
    }
  }

  private String doubt(String why, List<String> servers) {
    int more = servers.size() - NAMED;
    return "in %s: the tables at %s%s are not proved: %s"
        .formatted(
            tables.datacenter(),
            servers.stream().limit(NAMED).collect(joining(", ")),
            more > 0 ? " and %d more".formatted(more) : "",
            why);
  }

  private String summary() {
    var name = tables.datacenter();
    if (tables.verdicts().isEmpty()) {
      return "tables of %s: %s; a worker does, where herb-replicator folds the log"
          .formatted(
              name, tables.read() ? "not proved: nobody has read them yet" : "nobody reads them");
    }
    var rows = Texts.count(tables.rows(), "row");
    if (tables.oldest().isEmpty()) {
      return "tables of %s: %s read so far, of %d of %d partitions"
          .formatted(name, rows, tables.verdicts().size(), tables.partitions());
    }
    long age = Math.max(0, System.currentTimeMillis() - tables.oldest().getAsLong());
    return "tables of %s: %s read, all of them within %s".formatted(name, rows, Texts.age(age));
  }

  Map<String, Object> document() {
    var document = new LinkedHashMap<String, Object>();
    document.put("datacenter", tables.datacenter());
    document.put("agree", tables.agrees());
    document.put("rows", tables.rows());
    document.put("partitions", tables.partitions());
    document.put("partitions_read", tables.verdicts().size());
    tables.oldest().ifPresent(at -> document.put("read_at", Instant.ofEpochMilli(at).toString()));
    var servers = byServer();
    tables.servers().keySet().forEach(address -> servers.putIfAbsent(address, new OfServer()));
    document.put(
        "servers",
        servers.entrySet().stream()
            .map(server -> document(server.getKey(), server.getValue()))
            .toList());
    return document;
  }

  private Map<String, Object> document(String address, OfServer server) {
    var document = new LinkedHashMap<String, Object>();
    document.put("address", address);
    document.put("rows", server.rows);
    if (!server.unread.isEmpty()) {
      document.put("unread", server.unread);
    }
    Optional.ofNullable(tables.doubts().get(address)).ifPresent(why -> document.put("doubt", why));
    document.put("found", server.found);
    document.put("differences", server.differences);
    return document;
  }

  private Map<String, OfServer> byServer() {
    var servers = new TreeMap<String, OfServer>();
    for (var verdict : tables.verdicts()) {
      for (TableVerdict.OfServer told : verdict.servers()) {
        var server = servers.computeIfAbsent(told.address(), address -> new OfServer());
        server.rows += told.rows();
        server.found += told.found();
        server.unread = told.unread().isEmpty() ? server.unread : told.unread();
        told.differences().forEach(found -> server.differences.add(MeshReport.document(found)));
      }
    }
    return servers;
  }
}
