package io.cellmesh.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a run of the sink's measurement found.
 *
 * @param versions by what has them
 * @param mysql settings of the servers, as they gave them
 * @param ours by number of shards, in the order that was asked for; the first beside the peer
 */
public record SinkFigures(
    Machine machine,
    Map<String, String> versions,
    Map<String, String> mysql,
    Map<String, String> peerSettings,
    List<Result> ours,
    Result peer,
    Result raw) {

  public double ratio() {
    return ours.get(0).cellsPerSecond() / peer.cellsPerSecond();
  }

  /** The result for machines, in cells a second. */
  public Map<String, Object> document() {
    var document = new LinkedHashMap<String, Object>();
    document.put("name", "sink");
    document.put("ours", Math.round(ours.get(0).cellsPerSecond()));
    document.put("peer", Math.round(peer.cellsPerSecond()));
    document.put("ratio", Math.round(ratio() * 1000) / 1000.0);
    document.put("raw", Math.round(raw.cellsPerSecond()));
    return document;
  }
}
