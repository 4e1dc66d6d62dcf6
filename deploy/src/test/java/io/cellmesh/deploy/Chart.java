package io.cellmesh.deploy;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.TemplateCommand;
import io.cellmesh.stack.StateDirectory;
import java.nio.file.Path;

/** The chart of the applications. */
final class Chart {
  static final Path DIRECTORY = StateDirectory.home().resolve("deploy/helm/cellmesh-apps");

  private Chart() {}

  static TemplateCommand template() {
    return new Helm(DIRECTORY)
        .template()
        .withName("trips")
        .withNamespace("cells")
        .withKubeVersion("1.34.0");
  }
}
