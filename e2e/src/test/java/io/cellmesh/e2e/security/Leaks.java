package io.cellmesh.e2e.security;

import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.RestSecurity;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;

/** Searches for secrets where others could read them: logs, REST answers and lists of processes. */
public final class Leaks {
  private final Collection<String> secrets;
  private final List<String> found = new ArrayList<>();
  private int searched;

  private Leaks(Collection<String> secrets) {
    this.secrets = secrets;
  }

  /** Where one of the secrets stands; empty if they are kept. */
  public static List<String> of(Collection<String> secrets, DevStack stack) throws Exception {
    var leaks = new Leaks(secrets);
    leaks.files(stack.stateDir().resolve("logs"));
    leaks.file(stack.worker("dc1").properties());
    leaks.connect(stack);
    leaks.processes();
    for (var cluster : stack.clusters("dc1")) {
      for (var server : cluster.servers()) {
        leaks.text(
            server + "'s statements",
            server.query(
                "SELECT COALESCE(GROUP_CONCAT(COALESCE(info, '')), '')"
                    + " FROM information_schema.processlist"));
      }
    }
    if (leaks.searched < 20) {
      throw new IllegalStateException("only " + leaks.searched + " places were searched");
    }
    return leaks.found;
  }

  private void connect(DevStack stack) throws Exception {
    var worker = stack.worker("dc1");
    var paths = new ArrayList<>(List.of("?expand=info&expand=status"));
    for (var name : worker.client().connectors()) {
      for (var what : List.of("", "/config", "/status", "/tasks", "/topics")) {
        paths.add("/" + name + what);
      }
    }
    var http = HttpClient.newBuilder();
    var security = RestSecurity.of(stack.stateDir());
    security.map(RestSecurity::trust).ifPresent(http::sslContext);
    for (var path : paths) {
      var request = HttpRequest.newBuilder(URI.create(worker.url() + "/connectors" + path));
      security.map(Leaks::basic).ifPresent(login -> request.header("Authorization", login));
      var answer = http.build().send(request.build(), BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        throw new IllegalStateException(path + ": " + answer);
      }
      text("GET /connectors" + path, answer.body());
    }
  }

  private static String basic(RestSecurity security) {
    var login = security.login();
    var text = login.getUserName() + ":" + new String(login.getPassword());
    return "Basic "
        + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private void processes() throws IOException {
    try (var all = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (var process : all) {
        var line = process.resolve("cmdline");
        try {
          text(line.toString(), Files.readString(line, StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
          // It has ended meanwhile.
          continue;
        }
      }
    }
  }

  private void files(Path dir) throws IOException {
    try (var files = Files.walk(dir)) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        file(file);
      }
    }
  }

  private void file(Path file) throws IOException {
    text(file.toString(), Files.readString(file, StandardCharsets.ISO_8859_1));
  }

  private void text(String place, String text) {
    searched++;
    if (secrets.stream().anyMatch(text::contains)) {
      found.add(place);
    }
  }
}
