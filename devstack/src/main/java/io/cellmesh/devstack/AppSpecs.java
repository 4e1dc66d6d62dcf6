package io.cellmesh.devstack;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Remembers in {@code apps/NAME.json} what was started, so that another process can restart it. */
final class AppSpecs {
  private static final ObjectMapper JSON = JsonMapper.builder().build();

  private AppSpecs() {}

  static void write(JavaApp.Spec spec, Household household) {
    try {
      AtomicFile.write(
          dir(household).resolve(spec.name() + ".json"), JSON.writeValueAsString(spec));
    } catch (IOException e) {
      throw new DevStackException(spec.name() + " could not be noted down", e);
    }
  }

  /** Those of a stack, by name. */
  static List<JavaApp.Spec> read(Household household) {
    var specs = new ArrayList<JavaApp.Spec>();
    if (!Files.isDirectory(dir(household))) {
      return specs;
    }
    try (var files = Files.newDirectoryStream(dir(household), "*.json")) {
      for (var file : files) {
        specs.add(JSON.readValue(file.toFile(), JavaApp.Spec.class));
      }
    } catch (IOException e) {
      throw new DevStackException(dir(household) + " is not readable", e);
    }
    specs.sort((a, b) -> a.name().compareTo(b.name()));
    return specs;
  }

  private static Path dir(Household household) {
    return household.stateDir().resolve("apps");
  }
}
