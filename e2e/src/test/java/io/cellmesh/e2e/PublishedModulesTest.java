package io.cellmesh.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.stack.StateDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** What Maven publishes can be used, and says what Maven Central asks for. */
class PublishedModulesTest {
  private static final Path HOME = StateDirectory.home();
  private static final String SKIP = "maven.deploy.skip";

  /** The page's sentence on what is published, whose names are without the prefix. */
  private static final Pattern LISTED = Pattern.compile("(?m)^Published are (.*?)\\.(?= |$)");

  private static Element parent;

  /** By artifact. */
  private static final Map<String, Element> MODULES = new TreeMap<>();

  @BeforeAll
  static void read() throws Exception {
    parent = pom(HOME);
    for (var module : children(child(parent, "modules").orElseThrow(), "module")) {
      var pom = pom(HOME.resolve(module.getTextContent()));
      MODULES.put(text(pom, "artifactId"), pom);
    }
    assertThat(MODULES).hasSizeGreaterThan(20);
  }

  /** Else it would have the parent's, which is of the whole. */
  @Test
  void each_module_has_a_name_and_a_description_of_its_own() {
    var names = new ArrayList<String>();
    MODULES.forEach(
        (artifact, pom) -> {
          names.add(text(pom, "name"));
          assertThat(text(pom, "name")).as(artifact).startsWith("Cellmesh: ");
          assertThat(text(pom, "description")).as(artifact).endsWith(".");
        });
    assertThat(names).doesNotHaveDuplicates();
  }

  @Test
  void the_parent_says_for_all_of_them_who_made_it_where_and_under_which_licence() {
    assertThat(text(parent, "url")).isEqualTo("${cellmesh.url}");
    for (var path :
        List.of("licenses/license/name", "licenses/license/url", "developers/developer/name")) {
      assertThat(at(parent, path)).as(path).isNotBlank();
    }
    assertThat(at(parent, "scm/url")).isEqualTo("${cellmesh.repository}");
    assertThat(at(parent, "scm/connection")).isEqualTo("scm:git:${cellmesh.repository}");
    assertThat(at(parent, "scm/developerConnection")).isEqualTo("scm:git:${cellmesh.repository}");
    for (var said : List.of("url", "licenses", "developers", "scm")) {
      assertThat(MODULES.values())
          .as("modules with %s of their own", said)
          .noneMatch(pom -> child(pom, said).isPresent());
    }
  }

  /** Whoever depends on a module would look for these in vain. */
  @Test
  void what_is_published_stands_on_what_is_published() {
    MODULES.forEach(
        (artifact, pom) -> {
          if (isPublished(pom)) {
            assertThat(needs(pom)).as(artifact).allMatch(need -> isPublished(MODULES.get(need)));
          }
        });
  }

  @Test
  void the_page_on_releasing_names_what_is_published() throws IOException {
    var listed = LISTED.matcher(Files.readString(HOME.resolve("docs/releasing.md")));
    assertThat(listed.find()).isTrue();
    var named = new TreeSet<String>();
    var quoted = Pattern.compile("`([a-z-]+)`").matcher(listed.group(1));
    while (quoted.find()) {
      named.add("cellmesh-" + quoted.group(1));
    }
    var published = new TreeSet<String>();
    MODULES.forEach(
        (artifact, pom) -> {
          if (isPublished(pom)) {
            published.add(artifact);
          }
        });
    assertThat(named).isEqualTo(published);
  }

  private static boolean isPublished(Element pom) {
    return child(pom, "properties")
        .flatMap(properties -> child(properties, SKIP))
        .map(skip -> !skip.getTextContent().equals("true"))
        .orElse(true);
  }

  /** Our modules that whoever uses it gets with it. */
  private static List<String> needs(Element pom) {
    var needs = new ArrayList<String>();
    child(pom, "dependencies")
        .ifPresent(
            dependencies -> {
              for (var dependency : children(dependencies, "dependency")) {
                var scope = child(dependency, "scope").map(Element::getTextContent);
                if (text(dependency, "groupId").equals("io.cellmesh")
                    && !scope.orElse("").equals("test")) {
                  needs.add(text(dependency, "artifactId"));
                }
              }
            });
    return needs;
  }

  private static Element pom(Path module) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(module.resolve("pom.xml").toFile())
        .getDocumentElement();
  }

  private static String at(Element element, String path) {
    var at = Optional.of(element);
    for (var name : path.split("/")) {
      at = at.flatMap(found -> child(found, name));
    }
    return at.map(Element::getTextContent).orElse("");
  }

  private static String text(Element element, String name) {
    return child(element, name).map(Element::getTextContent).orElse("");
  }

  private static Optional<Element> child(Element element, String name) {
    return children(element, name).stream().findFirst();
  }

  private static List<Element> children(Element element, String name) {
    var children = new ArrayList<Element>();
    for (Node node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element child && child.getTagName().equals(name)) {
        children.add(child);
      }
    }
    return children;
  }
}
