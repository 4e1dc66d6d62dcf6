package io.cellmesh.worker.http;

import io.javalin.http.Context;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/**
 * The page's files. They hold no data, so whoever reaches the worker may have them; what they show
 * they ask for as any other client does. The browser is told to run and fetch nothing but what this
 * worker serves, so that no text of a cell can do anything.
 */
final class PageRoutes {
  private static final String FILES = "/ui/";

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "svg", "image/svg+xml");

  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'; require-trusted-types-for 'script'",
          "X-Content-Type-Options",
          "nosniff",
          "Referrer-Policy",
          "no-referrer",
          "Cross-Origin-Opener-Policy",
          "same-origin",
          "Cache-Control",
          "no-cache");

  private PageRoutes() {}

  static void page(Context context) {
    send(context, "index.html");
  }

  static void file(Context context) {
    send(context, context.pathParam("file"));
  }

  private static void send(Context context, String name) {
    var type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
    if (type == null || !name.matches("[a-z]+\\.[a-z]+")) {
      throw absent();
    }
    try (var file = PageRoutes.class.getResourceAsStream(FILES + name)) {
      if (file == null) {
        throw absent();
      }
      HEADERS.forEach(context::header);
      context.contentType(type).result(file.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ProblemException absent() {
    return new ProblemException(Problem.of(404, "the page has no such file"));
  }
}
