package io.cellmesh.e2e.page;

import com.microsoft.playwright.Page;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Pictures of each view, side by side on one page for whoever wants to look: {@code index.html}.
 */
final class Report {
  private final Path directory;
  private final List<String> names = new ArrayList<>();

  Report(Path directory) throws IOException {
    this.directory = Files.createDirectories(directory);
  }

  /** Takes a picture of the whole page. */
  void add(Page page, String view, String theme, int width) {
    var name = "%s-%s-%d.png".formatted(view, theme, width);
    page.screenshot(
        new Page.ScreenshotOptions().setPath(directory.resolve(name)).setFullPage(true));
    names.add(name);
  }

  Path write() throws IOException {
    var html = new StringBuilder("<!doctype html><meta charset=utf-8><title>The page</title>\n");
    html.append("<style>body{font:14px sans-serif;background:#888}figure{display:inline-block;");
    html.append(
        "margin:8px;vertical-align:top}img{max-width:620px;border:1px solid #000}</style>\n");
    names.forEach(
        name ->
            html.append(
                "<figure><figcaption>%s</figcaption><a href=%s><img src=%s loading=lazy></a></figure>\n"
                    .formatted(name, name, name)));
    return Files.writeString(directory.resolve("index.html"), html);
  }
}
