package io.cellmesh.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Makes the directory of a class's servers, {@code target/worker-failures} for {@code
 * WorkerFailuresIT}. Used with {@code cleanup = ON_SUCCESS}: of what is green nothing stays, since
 * the servers of a whole build fill 8 GB, and what has failed can be looked into.
 */
public final class UnderTarget implements TempDirFactory {
  @Override
  public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context)
      throws IOException {
    var name =
        context
            .getRequiredTestClass()
            .getSimpleName()
            .replaceFirst("IT$", "")
            .replaceAll("(?<=[a-z])(?=[A-Z])", "-")
            .toLowerCase(Locale.ROOT);
    return Files.createDirectories(Path.of("target", name).toAbsolutePath());
  }
}
