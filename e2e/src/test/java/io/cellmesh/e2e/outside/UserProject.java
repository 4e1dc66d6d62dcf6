package io.cellmesh.e2e.outside;

import io.cellmesh.e2e.Command;
import io.cellmesh.stack.StateDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A Maven project outside the checkout that does what docs/testcontainers.md says: it finds our
 * jars in a repository of files, and keeps them out of the user's own.
 *
 * @param dir holds the project, the repository and a local one
 */
record UserProject(Path dir) {
  private static final Path HOME = StateDirectory.home();
  private static final Path PAGE = HOME.resolve("docs/testcontainers.md");

  /** What the module testcontainers consists of, beside the parent. */
  private static final List<String> MODULES =
      List.of("cell", "storage", "deployment", "topics", "testcontainers");

  private static final Pattern VERSION = Pattern.compile("<version>([^<]+)</version>");

  /** Returns a block of the page: dependencies, or the example with its file's name. */
  static String block(String remark) throws IOException {
    var found =
        Pattern.compile(
                "<!-- " + Pattern.quote(remark) + " -->\n```[a-z]+\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(PAGE));
    if (!found.find()) {
      throw new IOException(PAGE + " has no block <!-- " + remark + " -->");
    }
    return found.group(1);
  }

  /** Writes the project and the repository. */
  void write() throws IOException {
    var repository = dir.resolve("repository");
    publish(repository, "cellmesh", HOME.resolve("pom.xml"), Optional.empty());
    for (var module : MODULES) {
      publish(
          repository,
          "cellmesh-" + module,
          HOME.resolve(module).resolve("pom.xml"),
          Optional.of(HOME.resolve(module).resolve("target")));
    }
    var pom = Files.readString(HOME.resolve("e2e/src/test/resources/compose/pom.xml"));
    Files.createDirectories(sources());
    Files.writeString(
        project().resolve("pom.xml"),
        pom.replace("REPOSITORY", repository.toUri().toString())
            .replace("DEPENDENCIES", block("dependencies").indent(4).stripTrailing()));
    Files.writeString(sources().resolve("TripsIT.java"), block("example: TripsIT.java"));
  }

  /** Runs its tests. */
  Command verify(Map<String, String> environment) throws IOException, InterruptedException {
    var own = Path.of(System.getProperty("user.home"), ".m2", "repository");
    var said = dir.resolve("maven.log");
    var builder =
        new ProcessBuilder(
                HOME.resolve("mvnw").toString(),
                "-B",
                "-ntp",
                "-Dmaven.repo.local=" + dir.resolve("local"),
                // Only read: what is ours does not get in there.
                "-Dmaven.repo.local.tail=" + System.getProperty("maven.repo.local", own.toString()),
                "verify")
            .directory(project().toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile());
    builder.environment().putAll(environment);
    return new Command(builder.start().waitFor(), Files.readString(said), "");
  }

  private Path project() {
    return dir.resolve("project");
  }

  private Path sources() {
    return project().resolve("src/test/java");
  }

  /** Puts a module where Maven looks for it in a repository. */
  private static void publish(Path repository, String artifact, Path pom, Optional<Path> target)
      throws IOException {
    var version = version();
    var name = artifact + "-" + version;
    var place =
        Files.createDirectories(
            repository.resolve("io/cellmesh").resolve(artifact).resolve(version));
    Files.copy(pom, place.resolve(name + ".pom"));
    if (target.isPresent()) {
      Files.copy(target.get().resolve(name + ".jar"), place.resolve(name + ".jar"));
    }
  }

  private static String version() throws IOException {
    var found = VERSION.matcher(Files.readString(HOME.resolve("pom.xml")));
    if (!found.find()) {
      throw new IOException("pom.xml has no version");
    }
    return found.group(1);
  }
}
