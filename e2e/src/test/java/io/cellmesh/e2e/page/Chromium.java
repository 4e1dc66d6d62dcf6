package io.cellmesh.e2e.page;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType.LaunchOptions;
import com.microsoft.playwright.Playwright;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A headless Chromium of this machine. */
final class Chromium implements AutoCloseable {
  private static final int FETCH_SECONDS = 180;

  private final Playwright playwright;
  private final Browser browser;

  private Chromium(Playwright playwright, Browser browser) {
    this.playwright = playwright;
    this.browser = browser;
  }

  /** What {@code e2e/bin/browser} says: a program, or why there is none. */
  record Found(Optional<Path> program, String why) {}

  /** Looks for one, and has Debian's unpacked where the machine has none. */
  static Found find() throws IOException, InterruptedException {
    var script = Path.of(System.getProperty("cellmesh.home")).resolve("e2e/bin/browser");
    var process = new ProcessBuilder(script.toString()).start();
    if (!process.waitFor(FETCH_SECONDS, TimeUnit.SECONDS)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      return new Found(Optional.empty(), "no Chromium within %d s".formatted(FETCH_SECONDS));
    }
    var out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    var why = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    return new Found(process.exitValue() == 0 ? Optional.of(Path.of(out)) : Optional.empty(), why);
  }

  static Chromium start(Path program) {
    var playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    var options =
        new LaunchOptions()
            .setExecutablePath(program)
            .setHeadless(true)
            // Who is root has no sandbox, and the page is our own.
            .setArgs(List.of("--no-sandbox", "--disable-gpu", "--disable-background-networking"));
    return new Chromium(playwright, playwright.chromium().launch(options));
  }

  Browser browser() {
    return browser;
  }

  @Override
  public void close() {
    browser.close();
    playwright.close();
  }
}
