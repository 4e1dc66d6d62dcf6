package io.cellmesh.deployment;

import io.cellmesh.cell.Names;
import io.cellmesh.cell.yaml.YamlTree;
import io.cellmesh.cell.yaml.YamlTree.Mapping;
import io.cellmesh.cell.yaml.YamlTree.Scalar;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The part {@code mesh} of a data centre: how its links read, and who may read here over HTTP. */
final class YamlMesh {
  private static final String MESH = "mesh";
  private static final String COMPRESSION = "compression";
  private static final String LINGER = "linger";
  private static final String WINDOW = "window";
  private static final String SHARE = "share";
  private static final String KEY_STORE = "keystore";
  private static final String KEY_STORE_PASSWORD = "keystore_password";
  private static final String TRUST_STORE = "truststore";
  private static final String TRUST_STORE_PASSWORD = "truststore_password";
  private static final String SERVE = "serve";
  private static final String PEERS = "peers";
  private static final String BIND = "bind";
  private static final String PORT = "port";
  private static final String ALLOW = "allow";
  private static final String TRANSPORT = "transport";
  private static final String THREADS = "threads";
  private static final String URL = "url";

  private static final Set<String> COMPRESSIONS = Set.of("none", "lz4", "zstd");

  /** Twice as much as the sink writes in a partition before it commits. */
  private static final int LEAST_WINDOW = 200;

  /** Less would make a backlog for ever of what comes. */
  private static final double LEAST_SHARE = 0.1;

  /** Links take a sink of which they hear nothing for some seconds for one that stands still. */
  private static final int MOST_LINGER = 1_000;

  private static final int MOST_WINDOW = 1_000_000;
  private static final int MOST_THREADS = 64;
  private static final int MOST_PORT = 65_535;

  /** An address that is looked up nowhere. */
  private static final Pattern ADDRESS =
      Pattern.compile("[0-9.]+|\\[?[0-9a-fA-F:.]*:[0-9a-fA-F:.]*]?");

  private final Path base;
  private final Mapping mesh;

  /**
   * Checks its form; secrets are resolved when somebody asks for what they are part of.
   *
   * @param base the directory that files are relative to
   * @throws io.cellmesh.cell.yaml.YamlException naming line, field and rule
   */
  YamlMesh(Path base, YamlTree mesh) {
    this.base = base;
    this.mesh =
        mesh.mapping(MESH)
            .allow(
                MESH,
                Set.of(
                    COMPRESSION,
                    LINGER,
                    WINDOW,
                    SHARE,
                    KEY_STORE,
                    KEY_STORE_PASSWORD,
                    TRUST_STORE,
                    TRUST_STORE_PASSWORD,
                    SERVE,
                    PEERS));
    compression();
    linger();
    window();
    share();
    checkStores();
    server();
    peers();
  }

  /**
   * Refuses peers that are no other data centre of the deployment.
   *
   * @param others all but this one
   */
  void checkPeers(Set<String> others) {
    peers()
        .keySet()
        .forEach(
            peer -> {
              if (!others.contains(peer)) {
                throw YamlTree.refuse(
                    mesh.required(PEERS).mapping(PEERS).required(peer),
                    "peers: \"%s\" is no other data centre of this file; there are %s"
                        .formatted(peer, others.stream().sorted().toList()));
              }
            });
  }

  MeshAccess access() {
    return new MeshAccess(compression(), linger(), window(), share(), peers(), server());
  }

  private String compression() {
    var said = YamlValues.optional(mesh, COMPRESSION);
    said.ifPresent(
        text -> {
          if (!COMPRESSIONS.contains(text.text())) {
            throw YamlTree.refuse(
                text,
                "compression: \"%s\" is none of lz4, none and zstd"
                    .formatted(shortened(text.text())));
          }
        });
    return said.map(Scalar::text).orElse(MeshAccess.USUAL.compression());
  }

  private int linger() {
    return YamlValues.optional(mesh, LINGER)
        .map(text -> number(text, LINGER, 0, MOST_LINGER))
        .orElse(MeshAccess.USUAL.linger());
  }

  private int window() {
    return YamlValues.optional(mesh, WINDOW)
        .map(text -> number(text, WINDOW, LEAST_WINDOW, MOST_WINDOW))
        .orElse(MeshAccess.WINDOW);
  }

  private double share() {
    return YamlValues.optional(mesh, SHARE).map(YamlMesh::share).orElse(MeshAccess.SHARE);
  }

  private static double share(Scalar text) {
    try {
      double share = Double.parseDouble(text.text());
      if (share >= LEAST_SHARE && share <= 1) {
        return share;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw YamlTree.refuse(
        text, "share: \"%s\" is not in %s..1".formatted(shortened(text.text()), LEAST_SHARE));
  }

  private void checkStores() {
    YamlValues.checkReferences(mesh, KEY_STORE_PASSWORD, TRUST_STORE_PASSWORD);
    if (has(KEY_STORE) != has(TRUST_STORE)) {
      throw YamlTree.refuse(
          mesh, "keystore and truststore go together: who has a certificate asks for one, too");
    }
  }

  private Optional<MeshServer> server() {
    if (!has(SERVE)) {
      return Optional.empty();
    }
    var serve = mesh.required(SERVE).mapping(SERVE).allow(SERVE, Set.of(BIND, PORT, ALLOW));
    var bind = YamlValues.optional(serve, BIND);
    bind.ifPresent(
        text -> {
          if (!has(KEY_STORE) && !isThisMachine(text.text())) {
            throw YamlTree.refuse(
                text,
                "bind: \"%s\" is not this machine alone, which needs keystore and truststore"
                    .formatted(shortened(text.text())));
          }
        });
    return Optional.of(
        new MeshServer(
            bind.map(Scalar::text).orElse("127.0.0.1"),
            number(serve.text(PORT), PORT, MOST_PORT),
            allowed(serve)));
  }

  private static Set<String> allowed(Mapping serve) {
    var allowed = new LinkedHashSet<String>();
    for (var item : serve.list(ALLOW)) {
      if (!(item instanceof Scalar name)) {
        throw YamlTree.refuse(item, "allow must be a list of data centres");
      }
      try {
        allowed.add(Names.check(ALLOW, name.text()));
      } catch (IllegalArgumentException e) {
        throw YamlTree.refuse(name, e.getMessage());
      }
    }
    if (allowed.isEmpty()) {
      throw YamlTree.refuse(serve.required(ALLOW), "allow: nobody may read, so serve nothing");
    }
    return allowed;
  }

  private Map<String, PeerAccess> peers() {
    var peers = new LinkedHashMap<String, PeerAccess>();
    if (has(PEERS)) {
      mesh.required(PEERS)
          .mapping(PEERS)
          .entries()
          .forEach((name, peer) -> peers.put(name, peer(peer.mapping(name))));
    }
    return peers;
  }

  private PeerAccess peer(Mapping peer) {
    var transport = peer.text(TRANSPORT);
    return switch (transport.text()) {
      case "kafka" -> {
        peer.allow("transport: kafka", Set.of(TRANSPORT, THREADS));
        yield YamlValues.optional(peer, THREADS)
            .map(text -> new PeerAccess.Kafka(number(text, THREADS, MOST_THREADS)))
            .orElse(PeerAccess.Kafka.USUAL);
      }
      case "http" -> {
        peer.allow("transport: http", Set.of(TRANSPORT, URL));
        yield new PeerAccess.Http(url(peer.text(URL)));
      }
      default ->
          throw YamlTree.refuse(
              transport,
              "transport: \"%s\" is none of http and kafka".formatted(shortened(transport.text())));
    };
  }

  private URI url(Scalar text) {
    var url = YamlValues.url(URL, text);
    if (url.getScheme().equals("https") && !has(KEY_STORE)) {
      throw YamlTree.refuse(
          text, "url: https needs keystore and truststore, with which both sign on");
    }
    if (url.getScheme().equals("http") && !isThisMachine(url.getHost())) {
      throw YamlTree.refuse(
          text,
          "url: must be https://host:port, since \"%s\" is not this machine"
              .formatted(shortened(url.getHost())));
    }
    return url;
  }

  /** Resolves the secrets; empty where there are no stores. */
  Optional<MeshTls> tls() {
    if (!has(KEY_STORE)) {
      return Optional.empty();
    }
    try {
      var password = YamlValues.resolved(mesh, KEY_STORE_PASSWORD).toCharArray();
      return Optional.of(
          MeshTls.of(
              YamlValues.store(base, mesh, KEY_STORE, KEY_STORE_PASSWORD),
              password,
              YamlValues.store(base, mesh, TRUST_STORE, TRUST_STORE_PASSWORD)));
    } catch (GeneralSecurityException e) {
      throw YamlTree.refuse(
          mesh.text(KEY_STORE), KEY_STORE + ": its key can't be read with its password");
    }
  }

  private static int number(Scalar text, String name, int most) {
    return number(text, name, 1, most);
  }

  private static int number(Scalar text, String name, int least, int most) {
    try {
      int number = Integer.parseInt(text.text());
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw YamlTree.refuse(
        text, "%s: \"%s\" is not in %d..%d".formatted(name, shortened(text.text()), least, most));
  }

  private static boolean isThisMachine(String host) {
    if (host.equals("localhost")) {
      return true;
    }
    try {
      return ADDRESS.matcher(host).matches() && InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  private boolean has(String name) {
    return mesh.entries().containsKey(name);
  }

  private static String shortened(String text) {
    int shown = 48;
    return text.length() <= shown ? text : text.substring(0, shown) + "…";
  }
}
