package io.cellmesh.worker.security;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where a worker's certificate stands, all in PEM.
 *
 * @param certificate the worker's and, behind it, those of the CAs between it and the root
 * @param key the certificate's private key in PKCS#8, without a password
 * @param clientCa whose certificates callers must have; empty if they need none
 */
public record TlsFiles(Path certificate, Path key, Optional<Path> clientCa) {
  List<Path> all() {
    var all = new ArrayList<>(List.of(certificate, key));
    clientCa.ifPresent(all::add);
    return all;
  }
}
