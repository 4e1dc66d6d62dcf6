package io.cellmesh.cli;

import io.cellmesh.terminal.Console;
import java.lang.reflect.Constructor;
import picocli.CommandLine;
import picocli.CommandLine.IFactory;

/** Hands the console to every command that asks for it in its constructor. */
final class CommandFactory implements IFactory {
  private final Console console;

  CommandFactory(Console console) {
    this.console = console;
  }

  @Override
  public <K> K create(Class<K> type) throws Exception {
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      var parameters = constructor.getParameterTypes();
      if (parameters.length == 1 && parameters[0] == Console.class) {
        constructor.setAccessible(true);
        return type.cast(constructor.newInstance(console));
      }
    }
    return CommandLine.defaultFactory().create(type);
  }
}
