package io.cellmesh.herb;

import io.cellmesh.deployment.MeshTls;
import io.cellmesh.deployment.PeerAccess;
import io.cellmesh.deployment.peer.PeerHttp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What an instance has in its process: a link to each peer, and beside them what tells whether
 * somebody holds one, how far the sink is, and the proof.
 *
 * @param sink empty where nothing runs
 * @param holds empty where nothing runs
 * @param proof likewise
 */
record InstanceParts(
    List<Link> links, Optional<SinkWatch> sink, Optional<HoldWatch> holds, Optional<Proof> proof) {
  static final InstanceParts NONE =
      new InstanceParts(List.of(), Optional.empty(), Optional.empty(), Optional.empty());

  InstanceParts {
    links = List.copyOf(links);
  }

  /**
   * Makes them; none has started.
   *
   * @param stagger of all links of the process
   * @param turns of all proofs and watches of the process
   * @throws IllegalArgumentException if the certificate for HTTP can't be read
   */
  static InstanceParts of(Ends ends, Stagger stagger, SharedTurns turns) {
    var sink =
        new SinkWatch(
            ends.here(),
            ends.topology().topics(),
            ends.topology().shards(),
            ends.mesh().window(),
            ends.mesh().linger(),
            turns);
    var maker = Maker.of(ends, sink);
    var holds = new HoldWatch(ends.here(), ends.topology().topics().meshPlace(), turns);
    var links = new ArrayList<Link>();
    var backlogs =
        new Backlogs(
            ends.mesh().share(),
            (long) ends.mesh().window() * ends.topology().shards().partitions());
    for (var peer : ends.peers().keySet()) {
      links.add(
          new PeerLink(
              ends.instance(),
              peer,
              maker.transport(peer),
              () -> holds.of(peer),
              stagger,
              backlogs));
    }
    var proof = new Proof(ends.topology(), ends.here(), maker.compared(), turns);
    return new InstanceParts(links, Optional.of(sink), Optional.of(holds), Optional.of(proof));
  }

  void start() {
    all().forEach(Part::start);
  }

  void end() {
    all().forEach(Part::end);
  }

  /**
   * Waits until all have ended.
   *
   * @param deadline as {@link System#nanoTime} tells it
   * @return whether they have
   */
  boolean awaitEnd(long deadline) throws InterruptedException {
    boolean ended = true;
    for (var part : all()) {
      ended &= part.awaitEnd(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
    }
    return ended;
  }

  /**
   * How they are.
   *
   * @param fault why they are not as the instance's files say now; empty if they are
   */
  HealthReport health(String instance, String fault) {
    var byPeer = new TreeMap<String, LinkHealth>();
    links.forEach(link -> byPeer.put(link.peer(), link.health()));
    return new HealthReport(instance, fault, byPeer, proof.map(Proof::report));
  }

  private List<Part> all() {
    var all = new ArrayList<Part>();
    sink.ifPresent(all::add);
    holds.ifPresent(all::add);
    all.addAll(links);
    proof.ifPresent(all::add);
    return all;
  }

  /**
   * Makes what links are made of.
   *
   * @param overHttp the ways to the peers that are read over HTTP; a link and its proof share one
   * @param clusters the peers by the ids of their Kafka clusters, as far as they are known
   */
  private record Maker(
      Ends ends, Map<String, PeerHttp> overHttp, SinkWatch sink, Map<String, String> clusters) {
    static Maker of(Ends ends, SinkWatch sink) {
      var tls = ends.tls().get().map(MeshTls::context);
      var topology = ends.topology();
      var overHttp = new HashMap<String, PeerHttp>();
      for (var name : ends.peers().keySet()) {
        if (ends.mesh().peer(name) instanceof PeerAccess.Http http) {
          overHttp.put(
              name,
              new PeerHttp(
                  topology.datacenter(),
                  topology.instance(),
                  name,
                  http.url(),
                  tls,
                  PeerHttp.PATIENCE));
        }
      }
      return new Maker(ends, overHttp, sink, new ConcurrentHashMap<>());
    }

    Transport transport(String name) {
      var topology = ends.topology();
      var mesh = ends.mesh();
      if (overHttp.containsKey(name)) {
        var peer = overHttp.get(name);
        return new HttpTransport(
            topology,
            ends.here(),
            peer,
            mesh.compression(),
            mesh.linger(),
            ends.limits(),
            sink::window,
            start(name, HttpTransport.door(topology, peer)));
      }
      int threads = ((PeerAccess.Kafka) mesh.peer(name)).threads();
      var peer = new Peer(topology.instance(), name, ends.peers().get(name).orElseThrow());
      return new KafkaTransport(
          topology,
          ends.here(),
          peer,
          new LinkTuning(threads, mesh.compression(), mesh.linger(), ends.limits()),
          sink::window,
          start(name, KafkaTransport.door(topology, ends.here(), peer)));
    }

    private LinkStart start(String peer, PeerSide.Door door) {
      return new LinkStart(ends.topology(), ends.here(), peer, ends.reached(), clusters, door);
    }

    /** A comparison with each peer, which is read as its link reads it. */
    List<PeerProof> compared() {
      return ends.peers().keySet().stream()
          .map(name -> new PeerProof(ends.topology(), ends.here(), name, side(name)))
          .toList();
    }

    private PeerProof.Side side(String name) {
      return overHttp.containsKey(name)
          ? PeerProof.Side.of(overHttp.get(name), ends.topology())
          : PeerProof.Side.of(ends.peers().get(name).orElseThrow(), ends.topology());
    }
  }
}
