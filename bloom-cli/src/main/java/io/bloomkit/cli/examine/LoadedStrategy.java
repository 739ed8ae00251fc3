package io.bloomkit.cli.examine;

import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * Loads a strategy from a class of the user: {@code package.Class} for a class with a constructor
 * without parameters, or {@code package.Class#NAME} for a static field, an enum constant or a
 * static method without parameters. Classes and members may be non-public.
 */
final class LoadedStrategy {

  /** A strategy with its declared type. The class of a lambda does not contain the element type. */
  private record Declared(Object strategy, Type type) {}

  private LoadedStrategy() {}

  /**
   * Loads a strategy.
   *
   * @throws IllegalArgumentException if there is no strategy with that name, if it cannot be
   *     created, or if lines cannot be converted to its elements
   */
  static Subject<?> of(String name, ClassLoader loader) {
    int hash = name.indexOf('#');
    String className = hash < 0 ? name : name.substring(0, hash);
    Declared declared;
    try {
      Class<?> type = Class.forName(className, true, loader);
      declared = hash < 0 ? instance(type) : member(type, name.substring(hash + 1));
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException(
          "there is no class " + className + " on the class path (nested ones are Outer$Inner)", e);
    } catch (InvocationTargetException | ExceptionInInitializerError e) {
      throw new IllegalArgumentException(
          name + " cannot be created: it throws " + StrategyFailure.describe(e.getCause()), e);
    } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
      throw e instanceof IllegalArgumentException refusal
          ? refusal
          : new IllegalArgumentException(
              name + " cannot be loaded: " + StrategyFailure.describe(e), e);
    }
    if (!(declared.strategy instanceof HashStrategy<?> strategy)) {
      throw new IllegalArgumentException(name + " is not of type " + HashStrategy.class.getName());
    }
    try {
      StrategyIdentity.of(strategy);
    } catch (RuntimeException | LinkageError e) {
      throw new IllegalArgumentException(
          "the id or the fingerprint of " + name + " is invalid: " + StrategyFailure.describe(e),
          e);
    }
    return subject(name, strategy, declared.type);
  }

  private static Declared instance(Class<?> type) throws ReflectiveOperationException {
    if (type.isEnum() && HashStrategy.class.isAssignableFrom(type)) {
      throw new IllegalArgumentException(
          type.getName() + " is an enum: name one of its constants, " + type.getName() + "#NAME");
    }
    if (Modifier.isAbstract(type.getModifiers()) || !HashStrategy.class.isAssignableFrom(type)) {
      throw new IllegalArgumentException(
          type.getName() + " does not implement " + HashStrategy.class.getName());
    }
    Constructor<?> constructor;
    try {
      constructor = type.getDeclaredConstructor();
    } catch (NoSuchMethodException e) {
      throw new IllegalArgumentException(
          type.getName()
              + " has no constructor without parameters: name a static field or method that"
              + " contains or returns a strategy, "
              + type.getName()
              + "#NAME",
          e);
    }
    constructor.setAccessible(true);
    return new Declared(constructor.newInstance(), type);
  }

  private static Declared member(Class<?> type, String name) throws ReflectiveOperationException {
    for (Field field : type.getDeclaredFields()) {
      if (field.getName().equals(name) && Modifier.isStatic(field.getModifiers())) {
        field.setAccessible(true);
        return declared(field.get(null), field.getGenericType(), type, name);
      }
    }
    for (Method method : type.getDeclaredMethods()) {
      if (method.getName().equals(name)
          && Modifier.isStatic(method.getModifiers())
          && method.getParameterCount() == 0) {
        method.setAccessible(true);
        return declared(method.invoke(null), method.getGenericReturnType(), type, name);
      }
    }
    throw new IllegalArgumentException(
        type.getName() + " has no static field and no static method without parameters " + name);
  }

  private static Declared declared(@Nullable Object value, Type type, Class<?> owner, String name) {
    if (value == null) {
      throw new IllegalArgumentException(owner.getName() + "#" + name + " is null");
    }
    return new Declared(value, ElementType.of(type) instanceof Class<?> ? type : value.getClass());
  }

  private static Subject<?> subject(String name, HashStrategy<?> strategy, Type declaredType) {
    Type elementType = ElementType.of(declaredType);
    KeyForm<?> form = KeyForm.of(elementType);
    if (form == null) {
      throw new IllegalArgumentException(
          name
              + (elementType instanceof Class<?> c
                  ? " hashes " + c.getName()
                  : " does not declare its element type")
              + "; the supported types are String, CharSequence, byte[], Long, Integer and"
              + " UUID; for other types, implement HashStrategyContract in a test");
    }
    return subject(strategy, form);
  }

  /** The form matches the declared element type of the strategy. */
  @SuppressWarnings("unchecked")
  private static <T> Subject<T> subject(HashStrategy<?> strategy, KeyForm<T> form) {
    return new Subject<>((HashStrategy<? super T>) strategy, form);
  }
}
