package io.cellmesh.e2e.archive;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cellmesh.cli.outcome.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archive runs on a JRE, outside the checkout, for a user who may not write to it. */
class ArchiveIT {
  /** A line of NOTICE's table. */
  private static final Pattern SHIPPED =
      Pattern.compile(
          "(?m)^ {2}(?<jar>[a-zA-Z0-9.-]+) {2,}.*? {2,}(?<text>LICENSE|licenses/\\S+)$");

  private static final Pattern VERSIONED = Pattern.compile("(.+?)-\\d.*\\.jar");

  @TempDir static Path dir;

  private static UnpackedArchive archive;
  private static Path jre;

  @BeforeAll
  static void unpack() throws Exception {
    archive = UnpackedArchive.into(dir);
    jre = Jre.pretended(dir.resolve("jre"));
  }

  @Test
  void its_sum_and_that_of_its_parts_list_lie_beside_it() throws Exception {
    var file = UnpackedArchive.file();
    var parts = file.resolveSibling(archive.home().getFileName() + ".cdx.json");

    for (var published : List.of(file, parts)) {
      var sum = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(published));
      var name = published.getFileName();
      assertThat(published.resolveSibling(name + ".sha256"))
          .content()
          .isEqualToIgnoringNewLines(HexFormat.of().formatHex(sum) + " *" + name);
    }
    assertThat(archive.home().resolve("sbom.cdx.json")).hasSameBinaryContentAs(parts);
  }

  @Test
  void the_parts_list_names_every_jar_with_its_sum_and_licence() throws Exception {
    var listed = new TreeMap<String, JsonNode>();
    for (var part :
        new ObjectMapper()
            .readTree(Files.readString(archive.home().resolve("sbom.cdx.json")))
            .get("components")) {
      listed.put(
          part.get("name").textValue() + "-" + part.get("version").textValue() + ".jar", part);
    }
    var shipped = new TreeSet<String>();
    try (var files = Files.walk(archive.home())) {
      for (var jar : files.filter(ArchiveIT::isPart).toList()) {
        var name = jar.getFileName().toString();
        shipped.add(name);
        assertThat(listed).containsKey(name);
        assertThat(listed.get(name).get("hashes")).as(name).anyMatch(hash -> isSum(hash, jar));
        assertThat(listed.get(name).path("licenses")).as(name).isNotEmpty();
      }
    }
    assertThat(shipped).hasSizeGreaterThan(40);
    // A worker has it already: packaging/component.xml leaves it out.
    assertThat(listed.keySet())
        .filteredOn(name -> !name.startsWith("jackson-datatype-jsr310-"))
        .isEqualTo(List.copyOf(shipped));
  }

  /** A jar that something runs; sources are a text that a licence asks for. */
  private static boolean isPart(Path file) {
    return file.toString().endsWith(".jar") && !isSources(file);
  }

  private static boolean isSum(JsonNode hash, Path jar) {
    if (!hash.get("alg").textValue().equals("SHA-256")) {
      return false;
    }
    try {
      var sum = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar));
      return hash.get("content").textValue().equals(HexFormat.of().formatHex(sum));
    } catch (IOException | NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void every_program_starts_also_by_a_link() throws Exception {
    var version = archive.home().getFileName().toString().replace('-', ' ');
    var link = Files.createSymbolicLink(dir.resolve("cm"), archive.program("cellmesh"));

    assertThat(archive.run(jre, link, "--version").out().strip()).isEqualTo(version);
    for (var app : List.of("index-streams", "herb-replicator")) {
      var help = archive.run(jre, archive.program(app), "--help");
      assertThat(help.exit()).as(help.err()).isZero();
      assertThat(help.out()).contains("Usage: " + app).contains("--deployment");
    }
    var check = archive.run(jre, archive.program("cellmesh"), "deployment", "check", "--help");
    assertThat(check.exit()).isZero();
    assertThat(check.out()).contains("Usage: cellmesh deployment check");
  }

  @Test
  void what_is_wrong_ends_with_its_exit_code_and_a_word_on_what_to_do() throws Exception {
    var wrong = Files.writeString(dir.resolve("topology.yaml"), "instance: trips\nshards: 0\n");
    var refused =
        archive.run(jre, archive.program("cellmesh"), "topology", "check", wrong.toString());
    assertThat(refused.exit()).isEqualTo(ExitCodes.USAGE);
    assertThat(refused.err()).contains("partitions is missing");

    var old = Files.createDirectories(dir.resolve("old/bin")).getParent();
    Files.copy(jre.resolve("bin/java"), old.resolve("bin/java"));
    Files.writeString(old.resolve("release"), "JAVA_VERSION=\"11.0.2\"\n");
    var tooOld = archive.run(old, archive.program("index-streams"), "--help");
    assertThat(tooOld.exit()).isEqualTo(ExitCodes.ENVIRONMENT);
    assertThat(tooOld.err())
        .startsWith("index-streams: ")
        .contains("is Java 11; Cellmesh needs 17 or later");

    var bench = archive.run(jre, archive.program("cellmesh"), "bench", "log");
    assertThat(bench.exit()).isEqualTo(ExitCodes.ENVIRONMENT);
    assertThat(bench.err()).contains("is only in a checkout of Cellmesh");
  }

  @Test
  void connectors_are_rendered_from_the_archives_own_files() throws Exception {
    var topology =
        Files.writeString(
            dir.resolve("two.yaml"),
            """
            instance: trips
            shards: 64
            partitions: 16
            datacenter: dc1
            clusters:
              - {name: c1, shards: 0-31, epoch: 1, master: {url: "mysql://127.0.0.1:3301", domain: r1}, minions: [{url: "mysql://127.0.0.1:3302", domain: r2}]}
              - {name: c2, shards: 32-63, epoch: 1, master: {url: "mysql://127.0.0.1:3303", domain: r3}, minions: [{url: "mysql://127.0.0.1:3304", domain: r4}]}
            """);

    var rendered =
        archive.run(
            jre,
            archive.program("cellmesh"),
            "connectors",
            "render",
            "--topology",
            topology.toString(),
            "--kafka",
            "k1:9092");

    assertThat(rendered.exit()).as(rendered.err()).isZero();
    assertThat(rendered.out()).contains("CellSinkConnector").contains("CellSourceConnector");
  }

  @Test
  void every_jar_has_its_licence() throws IOException {
    var texts =
        SHIPPED
            .matcher(Files.readString(archive.home().resolve("NOTICE")))
            .results()
            .collect(Collectors.toMap(line -> line.group(1), line -> line.group(2)));
    var named = new TreeSet<String>();

    checkLicences(archive.home().resolve("lib"), archive.home(), texts, named);
    var plugins = directories(archive.home().resolve("plugins"));
    assertThat(plugins).hasSize(2);
    for (var plugin : plugins) {
      checkLicences(plugin.resolve("lib"), plugin.resolve("doc"), texts, named);
    }
    assertThat(texts.keySet()).as("of jars that are no longer there").isEqualTo(named);
    assertThat(archive.home().resolve("licenses/mysql-connector-j/LICENSE"))
        .content()
        .contains("The Universal FOSS Exception, Version 1.0");
  }

  /** What version 2 of the GPL asks of whoever gives away a program. */
  @Test
  void connector_j_comes_with_its_source_and_an_offer_of_all_that_it_is_made_of() throws Exception {
    var version = versionOf("mysql-connector-j");
    var beside = archive.home().resolve("licenses/mysql-connector-j");
    var sources = "mysql-connector-j-%s-sources.jar".formatted(version);
    assertThat(beside.resolve("INFO_SRC")).content().contains("version: " + version, "commit: ");
    assertThat(beside).isDirectoryContaining("glob:**/" + sources);
    try (var jar = new ZipFile(beside.resolve(sources).toFile())) {
      assertThat(jar.getEntry("com/mysql/cj/jdbc/Driver.java")).isNotNull();
    }
    assertThat(archive.home().resolve("NOTICE"))
        .content()
        .contains("We ship the jar of version " + version + ", unchanged")
        .contains("licenses/mysql-connector-j/" + sources)
        .contains("/com/mysql/mysql-connector-j/%s/%s\n".formatted(version, sources))
        .contains("https://github.com/mysql/mysql-connector-j at the tag " + version + ";")
        .contains("Written offer: for three years");
    for (var plugin : directories(archive.home().resolve("plugins"))) {
      assertThat(plugin.resolve("doc/licenses/mysql-connector-j/INFO_SRC"))
          .hasSameBinaryContentAs(beside.resolve("INFO_SRC"));
      assertThat(plugin.resolve("doc/NOTICE"))
          .hasSameBinaryContentAs(archive.home().resolve("NOTICE"));
      try (var files = Files.walk(plugin)) {
        assertThat(files).as("what a worker would load").noneMatch(ArchiveIT::isSources);
      }
    }
  }

  private static boolean isSources(Path file) {
    return file.toString().endsWith("-sources.jar");
  }

  private static String versionOf(String artifact) throws IOException {
    var jar = Pattern.compile(Pattern.quote(artifact) + "-(\\d.*)\\.jar");
    try (var jars = Files.list(archive.home().resolve("lib"))) {
      return jars.map(file -> jar.matcher(file.getFileName().toString()))
          .filter(Matcher::matches)
          .map(found -> found.group(1))
          .findFirst()
          .orElseThrow();
    }
  }

  @Test
  void the_units_are_those_of_the_page_on_deploying() throws IOException {
    var page = Files.readString(archive.home().resolve("docs/deploying.md"));

    var programs =
        Map.of(
            "index-streams", "index-streams",
            "herb-replicator", "herb-replicator",
            "worker", "cellmesh worker run",
            "trigger@", "cellmesh trigger run");
    for (var program : programs.entrySet()) {
      var unit = archive.home().resolve("systemd/cellmesh-%s.service".formatted(program.getKey()));
      assertThat(page).contains("```ini\n" + Files.readString(unit) + "```");
      assertThat(unit)
          .content()
          .contains("ExecStart=/opt/cellmesh/bin/" + program.getValue() + " ");
    }
  }

  @Test
  void what_watches_it_is_in_there_and_the_page_that_says_how() throws IOException {
    var monitoring = archive.home().resolve("monitoring");
    for (var file :
        List.of("jmx-exporter.yaml", "alerts.yaml", "prometheus.yaml", "connect-log4j2.yaml")) {
      assertThat(monitoring.resolve(file)).isNotEmptyFile();
    }
    assertThat(monitoring.resolve("grafana")).isDirectoryContaining("glob:**.json");
    assertThat(archive.home().resolve("docs/monitoring.md")).isNotEmptyFile();
  }

  private static void checkLicences(
      Path lib, Path texts, Map<String, String> textOf, TreeSet<String> named) throws IOException {
    try (var jars = Files.list(lib)) {
      for (var jar : jars.map(file -> file.getFileName().toString()).toList()) {
        var artifact = VERSIONED.matcher(jar).replaceAll("$1");
        if (artifact.startsWith("cellmesh-")) {
          continue;
        }
        assertThat(textOf).as("NOTICE").containsKey(artifact);
        assertThat(texts.resolve(textOf.get(artifact))).as("of %s", jar).exists();
        named.add(artifact);
      }
    }
  }

  private static List<Path> directories(Path dir) throws IOException {
    try (var files = Files.list(dir)) {
      return files.filter(Files::isDirectory).toList();
    }
  }

  @Test
  void no_two_programs_bring_another_version_of_one_jar() throws IOException {
    try (var jars = Files.list(archive.home().resolve("lib"))) {
      var names = new ArrayList<String>();
      jars.forEach(
          jar -> names.add(VERSIONED.matcher(jar.getFileName().toString()).replaceAll("$1")));
      assertThat(names).doesNotHaveDuplicates();
    }
  }
}
