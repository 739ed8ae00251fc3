package io.bloomkit.cli.examine;

import io.bloomkit.hash.HashStrategy;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Determines the element type of a strategy: the T of its {@code HashStrategy<T>}. */
final class ElementType {

  private ElementType() {}

  /**
   * Returns the T of a type that is a {@code HashStrategy<T>} itself or by a superclass or
   * interface. The result may be a type variable; it is null if the type does not declare T.
   */
  static @Nullable Type of(Type strategyType) {
    return find(strategyType, Map.of());
  }

  private static @Nullable Type find(Type type, Map<TypeVariable<?>, Type> known) {
    Map<TypeVariable<?>, Type> here = new HashMap<>();
    Class<?> raw;
    if (type instanceof ParameterizedType parameterized) {
      raw = (Class<?>) parameterized.getRawType();
      Type[] arguments = parameterized.getActualTypeArguments();
      for (int i = 0; i < arguments.length; i++) {
        here.put(raw.getTypeParameters()[i], resolve(arguments[i], known));
      }
    } else if (type instanceof Class<?> plain) {
      raw = plain;
    } else {
      return null;
    }
    if (raw == HashStrategy.class) {
      return here.get(raw.getTypeParameters()[0]);
    }
    for (Type parent : raw.getGenericInterfaces()) {
      Type found = find(parent, here);
      if (found != null) {
        return found;
      }
    }
    Type parent = raw.getGenericSuperclass();
    return parent == null ? null : find(parent, here);
  }

  /**
   * Replaces type variables and wildcards by known types. A strategy over {@code ? super String}
   * hashes texts.
   */
  private static Type resolve(Type type, Map<TypeVariable<?>, Type> known) {
    if (type instanceof TypeVariable<?> variable) {
      return known.getOrDefault(variable, variable);
    }
    return type instanceof WildcardType wildcard && wildcard.getLowerBounds().length > 0
        ? wildcard.getLowerBounds()[0]
        : type;
  }
}
