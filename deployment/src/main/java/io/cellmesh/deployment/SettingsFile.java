package io.cellmesh.deployment;

import io.cellmesh.deployment.References.UnresolvedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;

/** A file of settings, {@code name=value}, in which secrets are references. */
public final class SettingsFile {
  private SettingsFile() {}

  /**
   * Reads all settings, with their references resolved as those of {@code cellmesh.yaml} are.
   *
   * @throws DeploymentException naming the file and what is wrong with it, never a value
   */
  public static Map<String, String> read(Path file) {
    var properties = new Properties();
    try (var in = Files.newBufferedReader(file)) {
      properties.load(in);
    } catch (IOException | IllegalArgumentException e) {
      throw new DeploymentException("%s can't be read as settings, name=value".formatted(file), e);
    }
    var settings = new LinkedHashMap<String, String>();
    properties.forEach((name, value) -> settings.put(name.toString(), value.toString()));
    try {
      return References.resolve(settings);
    } catch (UnresolvedException e) {
      throw new DeploymentException(file + ": " + e.getMessage());
    }
  }
}
