package io.bloomkit.cli.dedup;

import io.bloomkit.FilterFormatException;
import io.bloomkit.FilterPlan;
import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.cli.filter.FileKind;
import io.bloomkit.cli.io.FileFailure;
import io.bloomkit.cli.io.InputSource;
import io.bloomkit.cli.io.LineElements;
import io.bloomkit.cli.io.LineOptions;
import io.bloomkit.cli.io.LineReader;
import io.bloomkit.cli.io.LineWriter;
import io.bloomkit.cli.io.StandardStreams;
import io.bloomkit.cli.io.StreamProgress;
import io.bloomkit.cli.io.Subcommand;
import io.bloomkit.cli.text.Arguments;
import io.bloomkit.cli.text.Figures;
import io.bloomkit.cli.text.FppOption;
import io.bloomkit.cli.text.ItemsOption;
import io.bloomkit.cli.text.Window;
import io.bloomkit.cuckoo.ExpiringCuckooFilter;
import io.bloomkit.durable.DurableContents;
import io.bloomkit.durable.DurableFilter;
import io.bloomkit.format.FilterBuilder;
import io.bloomkit.format.FilterFile;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.scalable.ScalableBloomFilter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Drops repeated lines of a stream. */
@Command(
    name = "dedup",
    description = {
      "Prints the first occurrence of each line and drops repeats, in one pass with little memory.",
      "",
      "No repeat is printed, but a false positive drops a new line, at the rate P: of a million"
          + " distinct lines, up to a hundred at the default rate. --exact drops none."
          + " With a window, a line that was last seen before the window counts as new."
          + " For about a fifteenth of the window more, it may still be dropped.",
      "",
      "With --items, the filter is planned for N distinct lines, or for N in a window of time. With"
          + " more lines, the rate of dropped new lines exceeds P.",
      "",
      "Lines are bytes in any encoding and end with a line feed; the last line may"
          + " lack it. Lines are compared and printed as they came, a carriage return"
          + " included. Each line must fit into memory. Before the command waits for more"
          + " input, it prints the results of all input that it has read.",
      "",
      "Progress and a summary go to standard error. A run that fails, for example because of a full"
          + " disk or a damaged input, prints the reason and no summary, and ends with code 2: its"
          + " output is not complete. If the reader of the output closes it, the run ends"
          + " silently, with code 141."
    })
public final class DedupCommand extends Subcommand implements Runnable {

  /** The initial capacity if the number of lines is unknown. */
  private static final long INITIAL_LINES = 1_000_000;

  private static final long MIN_ESTIMATED_LINES = 1 << 16;

  /** Growth beyond this number costs little, and the input may consist of repeats. */
  private static final long MAX_ESTIMATED_LINES = 1 << 24;

  /** A margin, since later lines may be shorter than the first ones. */
  private static final double ESTIMATE_MARGIN = 1.1;

  private static final long ITEMS_IN_WINDOW = 10_000_000;

  /** The number of epochs in a window; a line is forgotten at the end of one. */
  private static final int EPOCHS = 15;

  private final StandardStreams streams;
  private final InstantSource time;

  @Option(
      names = "--window",
      paramLabel = "N|TIME",
      converter = Window.Converter.class,
      description =
          "Forgets lines that were last seen more than N lines ago, repeats included, or"
              + " longer ago than a time: 30s, 15m, 1h, 7d. The time is that of reading; for a"
              + " finished log, give --time-field. The memory grows and shrinks"
              + " with the number of distinct lines in the window.")
  private @Nullable Window window;

  @Mixin private final FppOption fpp = new FppOption("0.0001");

  @Mixin
  private final ItemsOption items =
      new ItemsOption("10000000 in a window of time; otherwise, the filter grows");

  @Mixin private final LineOptions lineOptions = new LineOptions();

  @Option(
      names = "--time-field",
      paramLabel = "K",
      converter = Arguments.WholeNumber.class,
      description =
          "For a window of time: reads the time of a line from its field K instead of the"
              + " clock. A time before that of an earlier line counts as the latest time so"
              + " far. A single line with a time far in the future makes the filter forget all"
              + " lines before the window that ends at that time. With --state, a line earlier"
              + " than those of earlier runs is compared, but not remembered; so after a time far"
              + " in the future, name another folder.")
  private @Nullable Long timeField;

  @Option(
      names = "--time-format",
      paramLabel = "F",
      description =
          "The format of --time-field: s, ms, us or ns, the time since 1970 in UTC in seconds"
              + " (with or without a fraction), milliseconds, microseconds or nanoseconds; or"
              + " iso, such as 2024-05-01T12:00:00Z; or clf, the time in the log of"
              + " Apache and nginx, such as [05/May/2024:06:25:24 +0000]. Where blanks separate"
              + " fields, the offset is in the next field and is not read; a time without an"
              + " offset is in UTC. A field in another format, or with a time after the year 9999,"
              + " counts as missing (default: s).")
  private @Nullable TimeFormat timeFormat;

  @Option(
      names = "--exact",
      description =
          "Drops no new line: remembers each distinct line by a hash of 128 bits, in about 25 bytes"
              + " of memory, six times as much as a filter at the default P, and takes about a"
              + " third more time. For many lines, raise -Xmx to 30 bytes for each distinct one."
              + " Not with --state, --window, --items or --fpp.")
  private boolean exact;

  @Option(
      names = {"-d", "--repeated"},
      description = "Prints only the repeats: every occurrence of a line after its first.")
  private boolean repeated;

  @Option(
      names = {"-u", "--unique"},
      description =
          "Prints only the lines that occur once, exactly those that uniq -u prints of sorted"
              + " lines, in the order of the input. Reads the input twice, so it must be regular"
              + " files. Holds each distinct repeated line in memory, and a line that occurs once"
              + " at the rate P.")
  private boolean unique;

  @Option(
      names = {"-c", "--count"},
      description =
          "Prints only the number of lines that would be printed. bloom count"
              + " prints the number of occurrences of each line.")
  private boolean count;

  @Option(
      names = "--state",
      paramLabel = "FOLDER",
      description =
          "Remembers the lines in a folder, which is created if it is missing: a line of an earlier"
              + " run with the same options is a repeat. --items and --fpp are those of the first"
              + " run and may be left out later. A line is remembered durably within about a second"
              + " after it is printed. So if the run is killed, some of the last lines may be"
              + " printed again by the next run, and none is lost; with -d, their next repeats may"
              + " not be printed, and with -c, the next run does not count what this one"
              + " remembers. If the machine stops, a file of output may lack lines that the system"
              + " had not yet written. If the reader of a pipe ends, the lines in it are lost. A"
              + " last line gets the line feed that it lacks, so that the next run may append to"
              + " the output. Output of a run that failed or was killed may end within a line:"
              + " remove that part first.")
  private @Nullable Path state;

  @Option(
      names = "--sync",
      description =
          "With --state: remembers a line durably before it is printed. So no line is printed"
              + " again after a crash, but some of the last lines may never be printed. Takes one"
              + " force of the disk per 4096 lines, or fewer if they come slowly.")
  private boolean sync;

  @Option(names = "--stats", description = "Prints a longer summary with one figure per line.")
  private boolean stats;

  /**
   * Creates the command.
   *
   * @param time the clock, read for each line
   */
  public DedupCommand(StandardStreams streams, InstantSource time) {
    this.streams = streams;
    this.time = time;
  }

  @Override
  public void run() {
    checkOptions();
    if (unique) {
      printUnique();
      return;
    }
    InputSource input = lineOptions.open(streams.in());
    if (state == null) {
      run(input, null);
      return;
    }
    try (DurableFilter<byte[]> saved = DurableFilter.open(state, savedBuilder(state))) {
      checkCreatedWithSame(state, saved.filter());
      run(input, saved);
    } catch (FilterFormatException e) { // names the file in the folder
      throw new UncheckedIOException("cannot read " + e.getMessage(), e);
    } catch (IOException e) {
      throw FileFailure.writing(state, e);
    }
  }

  private void run(InputSource input, @Nullable DurableFilter<byte[]> saved) {
    StreamProgress progress = new StreamProgress(err(), true, input.bytes());
    LineReader reader = new LineReader(input, lineOptions.terminator());
    boolean isMore = reader.readMore();
    SeenLines seen = saved == null ? seenLines(input.bytes(), reader) : seenLines(saved);
    LineWriter out = new LineWriter(streams.out());
    Dedup.Settings settings = settings();
    Dedup dedup =
        new Dedup(
            settings,
            reader,
            out,
            seen,
            timeField == null ? time : null,
            saved == null ? () -> {} : saved::sync);
    try (progress) {
      for (; isMore; isMore = reader.readMore()) {
        dedup.processBuffer();
        progress.advanced(dedup.lines(), dedup.dropped(), reader.bytesRead());
      }
    }
    if (count) {
      out.write(dedup.selected() + "\n");
      out.flush();
    }
    DedupSummary summary =
        new DedupSummary(
            dedup, settings, seen, reader.bytesRead(), progress.seconds(), windowNote());
    err().println(stats ? summary.table() : summary.line());
    double planned =
        saved == null
            ? fpp.value()
            : saved.filter().plan().map(FilterPlan::fpp).orElse(fpp.value());
    String warning = warning(dedup, seen, planned);
    if (warning != null) {
      err().println(warning);
    }
    err().flush();
  }

  private void printUnique() {
    UniqueLines lines =
        new UniqueLines(
            items.isSet()
                ? AllSeenLines.fixed(items.value(), fpp.value())
                : AllSeenLines.growing(INITIAL_LINES, fpp.value()));
    LineElements first = lineOptions.elements(streams.in());
    lines.collect(first, err());
    LineWriter out = new LineWriter(streams.out());
    LineElements second = lineOptions.elements(streams.in());
    lines.print(second, out, count, err());
    if (first.lines() != second.lines() || first.bytesRead() != second.bytesRead()) {
      throw new IllegalArgumentException(
          first.name() + " changed between two readings; the output is not complete");
    }
    if (count) {
      out.write(lines.unique() + "\n");
      out.flush();
    }
    printErr(
        "%s, %s unique %s, %s repeated not %3$s, about %s bytes of memory%s",
        Figures.counted(first.lines(), "line"),
        Figures.whole(lines.unique()),
        count ? "counted" : "printed",
        Figures.whole(first.lines() - lines.unique()),
        Figures.whole(lines.memoryBytes()),
        first.separatorNote());
  }

  private void checkUnique() {
    if (state != null) {
      throw new IllegalArgumentException("-u reads one whole input; leave out it or --state");
    }
    if (repeated || window != null || stats) {
      throw new IllegalArgumentException(
          "-u prints the lines that occur once in the whole input; leave out -d, --window and"
              + " --stats");
    }
    lineOptions.requireExisting();
    if (!lineOptions.isReadableAgain(streams)) {
      throw new IllegalArgumentException(
          "-u reads its input twice, which only regular files permit; write the lines to a FILE");
    }
  }

  private void checkExact() {
    if (state != null) {
      throw new IllegalArgumentException(
          "--exact remembers all lines in no filter; leave out --exact or --state");
    }
    if (unique || window != null || items.isSet() || isRateGiven()) {
      throw new IllegalArgumentException(
          "--exact remembers all lines in no filter; leave out "
              + (unique ? "it, as -u is exact" : "--window, --items and --fpp"));
    }
  }

  private void checkOptions() {
    fpp.check();
    lineOptions.check(timeField != null);
    FileKind.requireLines(lineOptions, "bloom check queries it");
    if (unique) {
      checkUnique();
    }
    if (sync && state == null) {
      throw new IllegalArgumentException("--sync requires --state FOLDER");
    }
    if (timeFormat != null && timeField == null) {
      throw new IllegalArgumentException("--time-format requires --time-field K");
    }
    if (state != null && state.toString().isEmpty()) {
      throw new IllegalArgumentException("--state must name a folder, got an empty text");
    }
    if (timeField != null) {
      Arguments.checkRange("--time-field", timeField, 1, Integer.MAX_VALUE);
    }
    items.check();
    if (exact) {
      checkExact();
    }
    boolean hasWindowOfTime = window != null && window.duration() != null;
    if (timeField != null && !hasWindowOfTime) {
      throw new IllegalArgumentException(
          "--time-field requires a window of time, such as --window 1h, but --window is "
              + (window == null ? "missing" : window.text()));
    }
    items.checkNoneWith(window);
  }

  private Dedup.Settings settings() {
    return new Dedup.Settings(
        lineOptions.fields(),
        timeField == null ? null : lineOptions.fields(List.of(Math.toIntExact(timeField))),
        Objects.requireNonNullElse(timeFormat, TimeFormat.S),
        repeated,
        count,
        lineOptions.passesMissing(),
        state == null
            ? Dedup.Saving.NONE
            : sync ? Dedup.Saving.BEFORE_PRINTING : Dedup.Saving.AFTER_PRINTING);
  }

  /** Returns the builder of a new filter by the options, or of what a folder has. */
  private FilterBuilder<byte[]> savedBuilder(Path folder) throws IOException {
    if (!DurableContents.isIn(folder)) {
      return window != null
          ? RecentLines.builder(window, itemsInWindow(), fpp.value())
          : items.isSet()
              ? AllSeenLines.fixedBuilder(items.value(), fpp.value())
              : AllSeenLines.growingBuilder(INITIAL_LINES, fpp.value());
    }
    FilterFile has = DurableContents.inspect(folder);
    FilterBuilder<byte[]> builder =
        Map.<Integer, FilterBuilder<byte[]>>of(
                BlockedBloomFilter.KIND.code(), BlockedBloomFilter.builder(SeenLines.STRATEGY),
                ClassicBloomFilter.KIND.code(), ClassicBloomFilter.builder(SeenLines.STRATEGY),
                ScalableBloomFilter.KIND.code(), ScalableBloomFilter.builder(SeenLines.STRATEGY),
                ExpiringCuckooFilter.KIND.code(), RecentLines.builder())
            .get(has.code());
    if (builder == null || !has.strategy().equals(StrategyIdentity.of(SeenLines.STRATEGY))) {
      throw new IllegalArgumentException(
          folder
              + " has a filter of the kind "
              + FileKind.name(has)
              + (builder == null ? "" : " and the strategy " + has.strategy().id())
              + ", which dedup does not use; name another folder");
    }
    return builder;
  }

  /**
   * Checks the options that were given against those with which a folder was created.
   *
   * @throws IllegalArgumentException if they differ
   */
  private void checkCreatedWithSame(Path folder, StorableFilter<byte[]> has) {
    String lines = "the lines in " + folder + " were remembered ";
    if (has instanceof ExpiringCuckooFilter<byte[]> recent) {
      String length =
          recent
              .timeToLive()
              .map(Window::text)
              .orElseGet(() -> String.valueOf(recent.window().orElseThrow()));
      if (window == null || !window.lengthText().equals(length)) {
        throw new IllegalArgumentException(
            lines + "with --window " + length + "; give the same, or name another folder");
      }
    } else if (window != null) {
      throw new IllegalArgumentException(
          lines + "without a window; leave out --window, or name another folder");
    }
    if (items.isSet() && has instanceof ScalableBloomFilter) {
      throw new IllegalArgumentException(
          lines + "without --items; leave it out, or name another folder");
    }
    FilterPlan plan = has.plan().orElse(null);
    if (plan == null) {
      return;
    }
    if (items.isSet() && items.value() != plan.expectedInsertions()) {
      throw new IllegalArgumentException(
          lines
              + "with --items "
              + plan.expectedInsertions()
              + "; leave out --items, or name another folder");
    }
    if (isRateGiven() && fpp.value() != plan.fpp()) {
      throw new IllegalArgumentException(
          lines
              + "with --fpp "
              + FppOption.text(plan.fpp())
              + "; leave out --fpp, or name another folder");
    }
  }

  private long itemsInWindow() {
    return items.isSet() ? items.value() : ITEMS_IN_WINDOW;
  }

  private boolean isRateGiven() {
    return spec().commandLine().getParseResult().hasMatchedOption("--fpp");
  }

  private SeenLines seenLines(DurableFilter<byte[]> saved) {
    return window != null ? RecentLines.of(saved) : AllSeenLines.of(saved);
  }

  private SeenLines seenLines(long bytes, LineReader reader) {
    if (exact) {
      return new ExactLines();
    }
    if (window != null) {
      return RecentLines.of(window, itemsInWindow(), fpp.value());
    }
    if (items.isSet()) {
      return AllSeenLines.fixed(items.value(), fpp.value());
    }
    return bytes == InputSource.UNKNOWN
        ? AllSeenLines.growing(INITIAL_LINES, fpp.value())
        : AllSeenLines.estimated(estimatedLines(bytes, reader), fpp.value());
  }

  /** One large layer is faster than several small ones, so its size is estimated from the file. */
  private static long estimatedLines(long bytes, LineReader reader) {
    long lines = (long) (ESTIMATE_MARGIN * bytes / reader.meanLineBytes());
    return Math.max(MIN_ESTIMATED_LINES, Math.min(MAX_ESTIMATED_LINES, lines));
  }

  /** Returns how long lines are remembered, or an empty text without a window. */
  private String windowNote() {
    if (window == null) {
      return "";
    }
    Duration time = window.duration();
    if (time == null) {
      return "a line is remembered for "
          + Figures.counted(window.lines(), "line")
          + " and about a fifteenth more";
    }
    return "a line is remembered for "
        + Window.text(time)
        + " and up to "
        + Window.text(Duration.ofMillis((time.toMillis() + EPOCHS - 1) / EPOCHS))
        + " more, "
        + (timeField == null
            ? "by the time of reading; --time-field K goes by the lines' own"
            : "by the time in field " + timeField);
  }

  private @Nullable String warning(Dedup dedup, SeenLines seen, double planned) {
    double rate = seen.highestFpp();
    if (rate > 2 * planned) {
      return "bloom: warning: there were more lines than expected, and new lines were "
          + (repeated ? "printed as repeats" : "dropped")
          + " at a rate of up to "
          + Figures.percent(rate)
          + ", not "
          + Figures.percent(planned)
          + "; raise --items";
    }
    if (dedup.early() > 0) {
      return "bloom: warning: "
          + linesAre(dedup.early())
          + " earlier than those of earlier runs, so not remembered: repeats of them may be "
          + (repeated ? "missing" : "printed")
          + "; continue with later input, or name another folder";
    }
    return dedup.late() == 0
        ? null
        : "bloom: warning: " + linesAre(dedup.late()) + " earlier than a previous line";
  }

  private static String linesAre(long count) {
    return Figures.whole(count) + (count == 1 ? " line is" : " lines are");
  }
}
