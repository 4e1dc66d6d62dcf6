package io.cellmesh.health;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import java.util.Optional;

/** How an application is at a moment. */
public interface Health {

  /** Whether all of it is at work. */
  boolean isGood();

  /** What a person wants to know, as the fields of a JSON object. */
  Map<String, Object> fields();

  /** The figures of it. */
  MetricPage metrics();

  /**
   * How one instance of it is, where it has several.
   *
   * @return this, where it has one alone; empty if it has none of that name
   */
  default Optional<Health> ofInstance(String name) {
    return Optional.of(this);
  }

  /** Writes {@link #fields} as one line. */
  default String toJson() {
    try {
      return new ObjectMapper().writeValueAsString(fields());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
