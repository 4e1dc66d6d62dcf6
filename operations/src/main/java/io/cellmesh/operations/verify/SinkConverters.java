package io.cellmesh.operations.verify;

import io.cellmesh.cell.Topology;
import io.cellmesh.connect.client.ConnectClientException;
import io.cellmesh.connect.converter.EnvelopeConverter;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.DeploymentException;
import io.cellmesh.operations.ConnectClients;
import io.cellmesh.operations.OperationException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigException;

/**
 * Knows how the sinks read the values of {@code trips.cells}, as their configurations say it, and
 * makes the converters that do so here.
 */
final class SinkConverters {
  private static final String SETTING = "value.converter";

  private final ClassLoader plugins;

  /**
   * @param path directories with the jars of converters
   * @throws OperationException if one can't be read
   */
  SinkConverters(List<Path> path) {
    var jars = new ArrayList<URL>();
    for (var directory : path) {
      try (var files = Files.walk(directory)) {
        files
            .filter(file -> file.toString().endsWith(".jar"))
            .map(SinkConverters::url)
            .forEach(jars::add);
      } catch (IOException e) {
        throw OperationException.invalid("--plugin-path: " + directory + " can't be read: " + e);
      }
    }
    this.plugins =
        new URLClassLoader(jars.toArray(URL[]::new), SinkConverters.class.getClassLoader());
  }

  /**
   * The settings of the converter of a data centre's sink.
   *
   * @return empty if values are envelopes already, and if nobody can say
   */
  Optional<Map<String, String>> of(DataCenter datacenter) {
    try {
      var config = ConnectClients.of(datacenter).config(sink(datacenter.topology()));
      return EnvelopeConverter.class.getName().equals(config.get(SETTING))
          ? Optional.of(EnvelopeConverter.settings(config, SETTING + "."))
          : Optional.empty();
    } catch (ConnectClientException | DeploymentException e) {
      return Optional.empty();
    }
  }

  /**
   * Looks whether such a converter can be made, before threads make theirs.
   *
   * @throws OperationException if it can't be made here
   */
  void require(Map<String, String> settings) {
    try {
      open(settings).close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Makes such a converter, for one thread.
   *
   * @throws OperationException if it can't be made here
   */
  EnvelopeConverter open(Map<String, String> settings) {
    var thread = Thread.currentThread();
    var before = thread.getContextClassLoader();
    thread.setContextClassLoader(plugins);
    try {
      var converter = new EnvelopeConverter();
      converter.configure(settings, false);
      return converter;
    } catch (ConfigException e) {
      throw OperationException.invalid(
          "the sink's values can't be read here as it reads them; give --plugin-path a directory with its converter's jars: "
              + e.getMessage());
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static String sink(Topology topology) {
    return topology.instance() + "-sink";
  }

  private static URL url(Path jar) {
    try {
      return jar.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(jar.toString(), e);
    }
  }
}
