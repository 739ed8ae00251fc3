package io.bloomkit.cli.filter;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.cli.CommandRun;
import io.bloomkit.internal.format.FilterContents;
import io.bloomkit.internal.format.FilterReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands that make and apply deltas. */
class DeltaCommandsTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"classic", "dynamic-cuckoo", "bloomkit-guava"})
  void aDeltaLeadsACopyToTheNextVersionAndToNoOther(String variant) throws IOException {
    Path copy = Files.move(CommandRun.build(folder, variant, "a\nb\n"), folder.resolve("copy"));
    byte[] first = Files.readAllBytes(copy);
    Path second = folder.resolve("second");
    CommandRun.succeed("c\n", "add", copy, "-o", second);
    Path third = folder.resolve("third");
    CommandRun.succeed("d\n", "add", second, "-o", third);
    Path change = folder.resolve("change.delta");
    CommandRun.succeed("", "delta", copy, second, "-o", change);
    Path nextChange = folder.resolve("next.delta");
    CommandRun.succeed("", "delta", second, third, "-o", nextChange);

    String lost = CommandRun.fail("", "apply", copy, nextChange);
    assertTrue(lost.startsWith("bloom: cannot apply " + nextChange + " to " + copy + ": "), lost);
    assertArrayEquals(first, Files.readAllBytes(copy));
    Path updated = folder.resolve("updated");
    CommandRun.succeed("", "apply", copy, change, "-o", updated);
    assertArrayEquals(Files.readAllBytes(second), Files.readAllBytes(updated));
    assertArrayEquals(first, Files.readAllBytes(copy));
    CommandRun.succeed("", "apply", copy, change);
    CommandRun.fail("", "apply", copy, change); // a second time
    assertArrayEquals(Files.readAllBytes(second), Files.readAllBytes(copy));
    CommandRun.succeed("", "apply", copy, nextChange);
    assertArrayEquals(Files.readAllBytes(third), Files.readAllBytes(copy));
  }

  @Test
  void otherKindsAreNamedAsOnTheCommandLine() throws IOException {
    Path classic = folder.resolve("classic");
    Path later = folder.resolve("later");
    Path counting = folder.resolve("counting");
    Path delta = folder.resolve("delta");
    Path out = folder.resolve("out");
    CommandRun.succeed("a\n", "build", "--kind=classic", "--items=9", "-o", classic);
    CommandRun.succeed("b\n", "add", classic, "-o", later);
    CommandRun.succeed("a\n", "build", "--kind=counting", "--items=9", "-o", counting);
    CommandRun.succeed("", "delta", classic, later, "-o", delta);
    assertEquals(
        "bloom: cannot write a delta: %s is of kind classic, %s of kind counting: build both with one"
                .formatted(classic, counting)
            + " --kind, or convert %s: bloom convert --to classic".formatted(counting),
        CommandRun.fail("", "delta", classic, counting, "-o", out));
    assertEquals(
        "bloom: cannot apply %s, a delta of a filter of kind classic, to %s of kind counting"
            .formatted(delta, counting),
        CommandRun.fail("", "apply", counting, delta, "-o", out));
    assertEquals(
        "bloom: cannot read %s: this is a delta, not a filter; bloom apply FILTER DELTA applies it"
            .formatted(delta),
        CommandRun.fail("", "check", "--mapped", delta));
    Path durable = Files.createDirectory(folder.resolve("durable"));
    CommandRun.succeed("a\n", "build", "--items=9", "-o", durable);
    String written = CommandRun.succeed("", "delta", durable, durable, "-o", out).err();
    assertTrue(written.matches("(?s).*: \\d+ bytes\\s*"), written);
  }

  @Test
  void noDeltaLeadsBetweenFiltersThatAreNotVersionsOfOne() {
    Path classic = CommandRun.build(folder, "classic", "a\n");
    Path counting = CommandRun.build(folder, "counting", "a\n");
    Path guava = CommandRun.build(folder, "guava", "a\n");
    Path out = folder.resolve("out.delta");
    String kinds = CommandRun.fail("", "delta", classic, counting, "-o", out);
    assertTrue(kinds.startsWith("bloom: cannot write a delta: " + classic + " is of kind "), kinds);
    String notOurs = CommandRun.fail("", "delta", guava, guava, "-o", out);
    assertTrue(notOurs.contains("bloom convert --to bloomkit-guava converts it"), notOurs);
    CommandRun.succeed("", "delta", classic, classic, "-o", out);
    assertTrue(
        CommandRun.fail("", "delta", out, out, "-o", classic, "--force").contains("a delta"));
    assertTrue(CommandRun.fail("", "apply", out, out).contains("a delta, not a filter"));
    for (Path filter : new Path[] {classic, guava}) {
      assertEquals(
          "bloom: cannot read "
              + filter
              + ": this is a filter, not a delta; name the filter before its delta",
          CommandRun.fail("", "apply", out, filter));
    }
    assertTrue(CommandRun.fail("", "check", out).contains("this is a delta"));
  }

  @Test
  void aDeltaIsNotReplacedByWhatItLeadsToAndIsNamedByInspect() throws IOException {
    Path base = CommandRun.build(folder, "classic", "a\n");
    Path next = folder.resolve("next.bloom");
    Path delta = folder.resolve("change.delta");
    CommandRun.succeed("b\n", "add", base, "-o", next);
    CommandRun.succeed("", "delta", base, next, "-o", delta);
    byte[] before = Files.readAllBytes(delta);
    String message = CommandRun.fail("", "apply", base, delta, "-o", delta, "--force");
    assertEquals(
        "bloom: " + delta + " is an input and would be replaced; choose another --output", message);
    assertArrayEquals(before, Files.readAllBytes(delta));
    String table = CommandRun.succeed("", "inspect", delta).out();
    FilterContents older = FilterReader.readFrom(base, FilterContents::read);
    FilterContents newer = FilterReader.readFrom(next, FilterContents::read);
    assertEquals(
        """
        file %s
        kind delta
        format version 1
        strategy xxh3
        fingerprint ab5cd8d32ec439ae
        net insertions 2
        file bytes %d
        checksum right
        filter kind classic
        base fingerprint %016x
        result fingerprint %016x
        """
            .formatted(delta, Files.size(delta), older.fingerprint(), newer.fingerprint()),
        table.lines().map(line -> line.replaceAll(" {2,}", " ")).collect(joining("\n", "", "\n")));
    Map<String, String> members = CommandRun.inspect(delta);
    assertEquals("\"delta\"", members.get("kind"));
    assertEquals("null", members.get("damage"));
    assertEquals(
        "bloom: --plot draws a filter, and " + delta + " is a delta",
        CommandRun.of("", "inspect", "--plot", folder.resolve("a.png"), delta).err().strip());
    before[before.length - 1]++;
    Files.write(delta, before);
    assertEquals(2, CommandRun.of("", "inspect", delta).exitCode());
  }
}
