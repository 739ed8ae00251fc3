package io.bloomkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.format.FilterKind;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a user may do with filters of every kind. */
class AllKindsTest {

  private static final LongHashStrategy LONGS = HashStrategies.longs();

  @Test
  void aFilterOfAnEmptyTableIsTheSmallest() {
    for (FilterKind kind : FilterKind.installed()) {
      StorableFilter<Long> empty = kind.create(LONGS, 0, 0.01);
      StorableFilter<Long> ofOne = kind.create(LONGS, 1, 0.01);
      assertEquals(ofOne, empty, kind.label());
      assertFalse(empty.mightContain(1L), kind.label());
      kind.addHash(empty, LONGS.hashLong(1));
      assertTrue(empty.mightContain(1L), kind.label());
      String message =
          assertThrows(IllegalArgumentException.class, () -> kind.create(LONGS, -1, 0.01))
              .toString();
      assertTrue(message.endsWith(" must be at least 0, got -1"), message);
    }
  }

  @Test
  void listsOfAnyTwoKindsCompile(@TempDir Path directory) {
    StringBuilder source = new StringBuilder("import java.util.List; class Lists {");
    List<FilterKind> kinds = FilterKind.installed();
    for (FilterKind one : kinds) {
      for (FilterKind other : kinds) {
        source.append(
            String.format(
                "static void %s(%s<String> one, %s<String> other) {"
                    + " for (var filter : List.of(one, other)) { filter.mightContain(\"a\"); }"
                    + " List.of(one, other).get(0).strategy(); }%n",
                (one.label() + "_" + other.label()).replace('-', '_'),
                one.filterClass().getName(),
                other.filterClass().getName()));
      }
    }
    JavaFileObject file =
        new SimpleJavaFileObject(URI.create("string:///Lists.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source.append("}").toString();
          }
        };
    StringWriter errors = new StringWriter();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<String> options =
        List.of("-d", directory.toString(), "-cp", System.getProperty("java.class.path"));
    assertTrue(
        compiler.getTask(errors, null, null, options, null, List.of(file)).call(),
        errors::toString);
  }
}
