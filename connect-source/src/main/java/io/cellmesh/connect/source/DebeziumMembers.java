package io.cellmesh.connect.source;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.Method;

/**
 * Finds members of Debezium's classes that it shows to nobody. A release that names one differently
 * fails every test of the connector.
 */
final class DebeziumMembers {
  private DebeziumMembers() {}

  static Field field(Class<?> owner, String name) {
    try {
      return accessible(owner.getDeclaredField(name));
    } catch (NoSuchFieldException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  static Method method(Class<?> owner, String name, Class<?>... parameters) {
    try {
      return accessible(owner.getDeclaredMethod(name, parameters));
    } catch (NoSuchMethodException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static <T extends AccessibleObject> T accessible(T member) {
    member.setAccessible(true);
    return member;
  }
}
