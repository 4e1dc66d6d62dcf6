package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.BufferStore;
import io.cellmesh.storage.BufferTable.CopyHeader;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Mark;
import io.cellmesh.storage.MySqlErrors;
import io.cellmesh.storage.NodeUnavailableException;
import io.cellmesh.storage.OffsetCell;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.connect.errors.ConnectException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds copies of one primary that join each other without a gap, over the buffers of all other
 * clusters. Thread-safe.
 */
final class CopyChains {
  private static final Logger LOG = LoggerFactory.getLogger(CopyChains.class);

  private static final int COPIES_AT_ONCE = 500;

  private final Topology topology;
  private final BufferStore buffers;

  CopyChains(Topology topology, BufferStore buffers) {
    this.topology = topology;
    this.buffers = buffers;
  }

  /** What the buffers have next. */
  sealed interface Next {
    /** All cells of a primary from an offset to an end, in offset order. */
    record Chain(Mark end, List<OffsetCell> cells) implements Next {}

    /** No copy within reach covers the offset. */
    record Gap() implements Next {}

    /** There are copies, and none fits any more. */
    record Later() implements Next {}
  }

  /**
   * Finds what follows an offset.
   *
   * @param room what may still be taken; what is returned is taken off it
   */
  Next from(StorageCluster primary, IngestTopic topic, int partition, long offset, Room room) {
    var held = held(primary, topic, partition, offset);
    var links = links(held, offset, room);
    if (links.isEmpty()) {
      return held.stream().anyMatch(link -> link.covers(offset))
          ? new Next.Later()
          : new Next.Gap();
    }
    return joined(links, cells(links), offset);
  }

  private static Next joined(List<Link> links, Map<Link, List<OffsetCell>> cells, long offset) {
    var joined = new ArrayList<OffsetCell>();
    long reached = offset;
    Mark end = null;
    for (var link : links) {
      var ofLink = cells.get(link);
      if (ofLink == null) {
        // Reaped or out of reach meanwhile; what came before it still counts.
        break;
      }
      for (var cell : ofLink) {
        if (cell.offset() >= reached) {
          joined.add(cell);
        }
      }
      end = link.held().end();
      reached = end.next();
    }
    return end == null ? new Next.Gap() : new Next.Chain(end, joined);
  }

  private List<Link> held(StorageCluster primary, IngestTopic topic, int partition, long after) {
    var all = new ArrayList<Link>();
    for (var secondary : topology.clusters()) {
      if (!secondary.name().equals(primary.name())) {
        read(
                secondary,
                () -> buffers.held(secondary, primary, topic, partition, after, COPIES_AT_ONCE))
            .ifPresent(held -> held.forEach(one -> all.add(new Link(secondary, one))));
      }
    }
    return all;
  }

  /** Of the copies that join what is reached always the one that goes farthest. */
  private static List<Link> links(List<Link> all, long offset, Room room) {
    all.sort(Comparator.comparingLong(link -> link.held().previous()));
    var links = new ArrayList<Link>();
    long reached = offset;
    Link best = null;
    for (int i = 0; i <= all.size(); i++) {
      var next = i < all.size() ? all.get(i) : null;
      if (next == null || next.held().previous() > reached) {
        if (best == null || best.held().end().next() <= reached) {
          break;
        }
        if (!room.take(best.held().cells(), best.held().bytes())) {
          break;
        }
        links.add(best);
        reached = best.held().end().next();
        if (next == null || next.held().previous() > reached) {
          break;
        }
      }
      if (best == null || next.held().end().next() > best.held().end().next()) {
        best = next;
      }
    }
    return links;
  }

  private Map<Link, List<OffsetCell>> cells(List<Link> links) {
    var cells = new HashMap<Link, List<OffsetCell>>();
    for (var secondary : links.stream().map(Link::secondary).distinct().toList()) {
      var ofSecondary = links.stream().filter(l -> l.secondary().equals(secondary)).toList();
      var ids = ofSecondary.stream().map(link -> link.held().id()).toList();
      read(secondary, () -> buffers.cells(secondary, ids))
          .ifPresent(
              byId -> ofSecondary.forEach(link -> cells.put(link, byId.get(link.held().id()))));
    }
    return cells;
  }

  private static <T> Optional<T> read(StorageCluster secondary, Question<T> question) {
    try {
      return Optional.of(question.answer());
    } catch (NodeUnavailableException e) {
      LOG.debug("the buffer of {} can't be read: {}", secondary.name(), e.getMessage());
      return Optional.empty();
    } catch (SQLException e) {
      throw new ConnectException(
          "the buffer of %s (%s): %s"
              .formatted(secondary.name(), secondary.master().address(), MySqlErrors.explain(e)),
          e);
    }
  }

  private interface Question<T> {
    T answer() throws SQLException, NodeUnavailableException;
  }

  private record Link(StorageCluster secondary, CopyHeader held) {
    boolean covers(long offset) {
      return held.previous() <= offset && offset < held.end().next();
    }
  }
}
