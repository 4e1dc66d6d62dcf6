package io.cellmesh.herb;

import io.cellmesh.deployment.MeshServer;
import io.cellmesh.deployment.MeshTls;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * The ports at which peers read over HTTP. Instances whose deployments name the same one share it,
 * and with it the certificates; who may read an instance's log, that instance says. Thread-safe.
 */
final class OriginServers implements AutoCloseable {
  private final Executor closing;
  private final Map<Address, Opened> opened = new HashMap<>();
  private final Map<String, Ends> served = new HashMap<>();

  private record Address(String bind, int port) {
    static Address of(MeshServer server) {
      return new Address(server.bind(), server.port());
    }

    @Override
    public String toString() {
      return "mesh.serve: %s:%d".formatted(bind, port);
    }
  }

  private record Opened(OriginServer server, Optional<String> certificates) {}

  /**
   * @param closing where it waits for ports that nobody needs any more
   */
  OriginServers(Executor closing) {
    this.closing = closing;
  }

  /**
   * Lets peers read an instance's log as its deployment says, or no longer. Where that can't be
   * done, it stays as it was.
   *
   * @throws IllegalArgumentException if it can't listen there, or others serve there with other
   *     certificates
   */
  synchronized void serve(Ends ends) {
    var instance = ends.instance();
    if (ends.equals(served.get(instance))) {
      return;
    }
    var wanted = ends.mesh().server();
    wanted.ifPresent(
        server ->
            open(Address.of(server), ends.tls().get())
                .serve(
                    new KafkaLog(ends.topology(), ends.here(), ends.limits().fetchBytes()),
                    server.allowed()));
    var before = address(served.put(instance, ends));
    before
        .filter(address -> !Optional.of(address).equals(address(ends)))
        .ifPresent(address -> leave(address, instance));
  }

  /** Lets nobody read an instance's log any more; returns at once. */
  synchronized void leave(String instance) {
    address(served.remove(instance)).ifPresent(address -> leave(address, instance));
  }

  /** Ends all streams, each behind a whole batch, within seconds. */
  @Override
  public void close() {
    all().parallelStream().forEach(OriginServer::close);
  }

  private synchronized List<OriginServer> all() {
    var all = new ArrayList<OriginServer>();
    opened.values().forEach(one -> all.add(one.server()));
    opened.clear();
    return all;
  }

  private OriginServer open(Address address, Optional<MeshTls> tls) {
    var certificates = tls.map(MeshTls::digest);
    var there = opened.get(address);
    if (there == null) {
      var server = OriginServer.start(address.bind(), address.port(), tls.map(MeshTls::context));
      opened.put(address, new Opened(server, certificates));
      return server;
    }
    if (!there.certificates().equals(certificates)) {
      throw new IllegalArgumentException(
          "%s was opened with another keystore or truststore; instances that share a port have the same, which are read when the process starts"
              .formatted(address));
    }
    return there.server();
  }

  private void leave(Address address, String instance) {
    var server = opened.get(address).server();
    server.leave(instance);
    if (server.isIdle()) {
      opened.remove(address);
      closing.execute(server::close);
    }
  }

  private static Optional<Address> address(Ends ends) {
    return Optional.ofNullable(ends).flatMap(said -> said.mesh().server()).map(Address::of);
  }
}
