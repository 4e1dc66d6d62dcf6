package io.cellmesh.connect.converter;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.NonEmptyString;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.storage.Converter;
import org.apache.kafka.connect.storage.ConverterConfig;
import org.apache.kafka.connect.storage.ConverterType;

/** The settings of {@link EnvelopeConverter}. */
final class EnvelopeConverterConfig extends AbstractConfig {
  static final String DELEGATE = "delegate";
  static final String ROW_KEY_FIELD = "row.key.field";
  static final String COLUMN_NAME = "column.name";
  static final String REF_KEY_FIELD = "ref.key.field";
  static final String BODY_FIELD = "body.field";

  private static final String DELEGATES = DELEGATE + ".";

  static final ConfigDef DEFINITION =
      new ConfigDef()
          .define(
              DELEGATE,
              Type.STRING,
              ConfigDef.NO_DEFAULT_VALUE,
              new NonEmptyString(),
              Importance.HIGH,
              "Class of the converter that reads the values, for example io.confluent.connect.avro.AvroConverter. Its own settings follow behind delegate. (delegate.schema.registry.url …).")
          .define(
              ROW_KEY_FIELD,
              Type.STRING,
              "row_key",
              new NonEmptyString(),
              Importance.MEDIUM,
              "Field of a value that has the row key, a UUID as text; it must be the record's key as well.")
          .define(
              COLUMN_NAME,
              Type.STRING,
              "",
              Importance.MEDIUM,
              "Column of all cells. If it is empty, each value's field column_name says it.")
          .define(
              REF_KEY_FIELD,
              Type.STRING,
              "ref_key",
              new NonEmptyString(),
              Importance.MEDIUM,
              "Field of a value that has the ref key, a whole number.")
          .define(
              BODY_FIELD,
              Type.STRING,
              "",
              Importance.MEDIUM,
              "Field of a value that is the body. If it is empty, all other fields are.");

  EnvelopeConverterConfig(Map<String, ?> settings) {
    super(DEFINITION, settings);
  }

  Envelopes.Fields fields() {
    return new Envelopes.Fields(
        getString(ROW_KEY_FIELD),
        getString(COLUMN_NAME),
        getString(REF_KEY_FIELD),
        getString(BODY_FIELD));
  }

  /** Makes the other converter, with what its settings say. */
  Converter delegate() {
    var name = getString(DELEGATE);
    var settings = new HashMap<>(originalsWithPrefix(DELEGATES));
    settings.put(ConverterConfig.TYPE_CONFIG, ConverterType.VALUE.getName());
    try {
      var converter = load(name).getDeclaredConstructor().newInstance();
      converter.configure(settings, false);
      return converter;
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new ConfigException(
          DELEGATE,
          name,
          "can't be made: " + e + ". Its jars belong into the worker's plugin.path");
    } catch (ClassCastException e) {
      throw new ConfigException(DELEGATE, name, "is no " + Converter.class.getName());
    }
  }

  /** A worker's loader of plug-ins finds those that lie apart from this one. */
  private static Class<? extends Converter> load(String name) throws ClassNotFoundException {
    try {
      return Class.forName(name, true, Thread.currentThread().getContextClassLoader())
          .asSubclass(Converter.class);
    } catch (ClassNotFoundException e) {
      return Class.forName(name, true, EnvelopeConverterConfig.class.getClassLoader())
          .asSubclass(Converter.class);
    }
  }
}
