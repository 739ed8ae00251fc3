package io.bloomkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.format.FilterKind;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategies;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Calls every public method and constructor of the modules of filters with each argument null in
 * turn. Each must throw a {@link NullPointerException} whose message is the name of the parameter.
 */
class NullArgumentsTest {

  private final ApiSamples samples = new ApiSamples();

  static Stream<Class<?>> publicTypes() {
    return PublicApi.types().stream();
  }

  @ParameterizedTest
  @MethodSource("publicTypes")
  void aNullArgumentIsNamed(Class<?> type) {
    List<String> faults = faultsOf(type);
    assertTrue(faults.isEmpty(), () -> String.join("\n", faults));
  }

  private List<String> faultsOf(Class<?> type) {
    List<String> faults = new ArrayList<>();
    for (Executable executable : PublicApi.executablesOf(type)) {
      for (int i = 0; i < executable.getParameterCount(); i++) {
        if (PublicApi.refusesNull(executable, i)) {
          String fault = faultOf(type, executable, i);
          if (!fault.isEmpty()) {
            faults.add(executable + ", " + executable.getParameters()[i].getName() + ": " + fault);
          }
        }
      }
    }
    return faults;
  }

  private String faultOf(Class<?> type, Executable executable, int nullAt) {
    Object[] arguments = new Object[executable.getParameterCount()];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = i == nullAt ? null : samples.of(executable.getParameterTypes()[i]);
    }
    String name = executable.getParameters()[nullAt].getName();
    try {
      PublicApi.call(type, executable, samples, arguments);
      return "no exception";
    } catch (InvocationTargetException e) {
      Throwable thrown = e.getCause();
      return thrown instanceof NullPointerException && name.equals(thrown.getMessage())
          ? ""
          : String.valueOf(thrown);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  @Test
  void everyKindOfFilterNamesANullArgument() {
    List<String> faults = new ArrayList<>();
    for (FilterKind kind : FilterKind.installed()) {
      samples.put(FilterKind.class, () -> kind);
      samples.put(StorableFilter.class, () -> kind.create(HashStrategies.utf8(), 10, 0.01));
      faults.addAll(faultsOf(FilterKind.class));
    }
    assertTrue(faults.isEmpty(), () -> String.join("\n", faults));
  }

  /** Methods that break the rule, which the check must find. */
  public static final class Careless {

    /** Takes null. */
    public String accepts(String text) {
      return "accepted " + text;
    }

    /** Does not name it. */
    public int stumbles(String text) {
      return text.length();
    }

    /** Throws something else. */
    public void complains(String text) {
      if (text == null) {
        throw new IllegalArgumentException("text");
      }
    }

    /** Keeps the rule. */
    public void refuses(String text) {
      Objects.requireNonNull(text, "text");
    }
  }

  @Test
  void carelessMethodsAreFound() {
    List<String> found =
        Arrays.stream(Careless.class.getDeclaredMethods())
            .filter(method -> !method.isSynthetic()) // what a coverage agent adds
            .filter(method -> !faultOf(Careless.class, method, 0).isEmpty())
            .map(Method::getName)
            .sorted()
            .toList();
    assertEquals(List.of("accepts", "complains", "stumbles"), found);
  }

  @Test
  void theTypesOfAllModulesAreChecked() {
    List<String> names = publicTypes().map(Class::getName).toList();
    for (String name :
        List.of(
            "io.bloomkit.InsertableFilter",
            "io.bloomkit.hash.HashStrategies",
            "io.bloomkit.format.Delta",
            "io.bloomkit.classic.ClassicBloomFilter$Builder",
            "io.bloomkit.interop.guava.GuavaBloomFilter",
            "io.bloomkit.cuckoo.CuckooFilter",
            "io.bloomkit.scalable.ScalableBloomFilter",
            "io.bloomkit.cuckoo.ExpiringCuckooFilter")) {
      assertTrue(names.contains(name), name);
    }
    assertFalse(names.contains("io.bloomkit.internal.format.FilterReader"));
  }
}
