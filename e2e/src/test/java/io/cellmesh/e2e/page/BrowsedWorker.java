package io.cellmesh.e2e.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.cellmesh.cell.Topology;
import io.cellmesh.stack.Stack;
import io.cellmesh.triggers.RunningTrigger;
import io.cellmesh.worker.Worker;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/** A worker of an instance that has all that its page can show, and a Chromium before it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class BrowsedWorker {
  private static final Path REPORT = Path.of("target", "ui-report").toAbsolutePath();

  static final int DESK = 1280;
  static final int PHONE = 390;

  private final Stack stack;
  final List<String> faults = new ArrayList<>();

  /** What a page lacks may have its reason in what the browser complained of. */
  @RegisterExtension
  final TestExecutionExceptionHandler complaints =
      (test, failure) -> {
        failure.addSuppressed(new AssertionError("the browser's console has " + faults));
        throw failure;
      };

  private Chromium chromium;
  Worker worker;
  Seed seed;
  private RunningTrigger trigger;
  String position;
  Report report;

  BrowsedWorker(Stack stack) {
    this.stack = stack;
  }

  Stack stack() {
    return stack;
  }

  @BeforeAll
  void start() throws Exception {
    var found = Chromium.find();
    assumeTrue(found.program().isPresent(), found.why());
    PlaywrightAssertions.setDefaultAssertionTimeout(30_000);
    report = new Report(REPORT);
    var dc = stack.deployment().datacenters().get(0);
    worker = Worker.start(new InetSocketAddress("127.0.0.1", 0), List.of(dc));
    seed = new Seed(worker.port(), dc);
    position = seed.write();
    trigger = seed.trigger();
    chromium = Chromium.start(found.program().get());
  }

  @AfterAll
  void stop() throws IOException {
    if (report != null) {
      report.write();
    }
    if (chromium != null) {
      chromium.close();
    }
    if (trigger != null) {
      trigger.close();
    }
    if (worker != null) {
      worker.close();
    }
  }

  BrowserContext context(int width, ColorScheme theme) {
    return chromium
        .browser()
        .newContext(
            new NewContextOptions()
                .setViewportSize(width, width == PHONE ? 844 : 900)
                .setColorScheme(theme)
                .setLocale("en-GB"));
  }

  Page open(BrowserContext context, String view) {
    var page = context.newPage();
    faults.clear();
    page.onPageError(faults::add);
    page.onConsoleMessage(
        message -> {
          if (message.type().equals("error")) {
            faults.add(message.text());
          }
        });
    page.navigate(url(view));
    return page;
  }

  void look(Page page, String view, ColorScheme theme, int width) throws IOException {
    var name = view.split("/")[0];
    for (var look : Looks.ALL) {
      assertThat((List<?>) page.evaluate(look))
          .as("%s, %s, %d pixels", name, theme, width)
          .isEmpty();
    }
    report.add(page, name, theme.name().toLowerCase(Locale.ROOT), width);
    if (theme == ColorScheme.LIGHT && width == DESK) {
      picture(page, name);
    }
  }

  static void picture(Page page, String name) throws IOException {
    Picture.write(page.screenshot(), REPORT.resolve("pictures/worker-page-" + name + ".png"));
  }

  static void click(Page page, String view) {
    page.getByRole(AriaRole.NAVIGATION)
        .getByRole(AriaRole.LINK, new Locator.GetByRoleOptions().setName(view))
        .click();
  }

  static Page.GetByLabelOptions exactly() {
    return new Page.GetByLabelOptions().setExact(true);
  }

  static Page.GetByRoleOptions named(String name) {
    return new Page.GetByRoleOptions().setName(name);
  }

  Topology topology() {
    return stack.devStack().topology("dc1");
  }

  String url(String view) {
    return "http://127.0.0.1:%d/ui#%s".formatted(worker.port(), view);
  }

  static String get(int port, String path) throws IOException, InterruptedException {
    var uri = URI.create("http://127.0.0.1:%d%s".formatted(port, path));
    var answer =
        HttpClient.newHttpClient()
            .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    return answer.body();
  }
}
