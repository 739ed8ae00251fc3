package io.bloomkit.cli.examine;

import io.bloomkit.cli.chart.PlotOption;
import io.bloomkit.cli.io.ExitCode;
import io.bloomkit.cli.io.InputSource;
import io.bloomkit.cli.io.Subcommand;
import io.bloomkit.cli.text.Arguments;
import io.bloomkit.cli.text.ItemsOption;
import io.bloomkit.cli.text.SeedOption;
import io.bloomkit.testkit.hash.ExaminationReport;
import io.bloomkit.testkit.hash.HashStrategyExamination;
import io.bloomkit.testkit.hash.Verdict;
import io.bloomkit.testkit.keys.KeySource;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** Examines a hash strategy on the user's keys or on generated keys. */
@Command(
    name = "examine",
    description = {
      "Examines a hash strategy on the given keys: whether the hashes are random, and whether"
          + " filters keep their false-positive rates with them.",
      "",
      "The verdict is FIT: no fault was found; INCONCLUSIVE: no fault was found, but"
          + " there were too few keys; WEAK: the hashes are not random, but filters keep"
          + " their false-positive rates; or UNFIT: the contract of a strategy is violated,"
          + " or filters exceed their rates. An ideal hash gets WEAK or UNFIT in at most"
          + " one of a million runs. The exit code is 0 for FIT and 1 for any other"
          + " verdict.",
      "",
      "Ready-made strategies: utf8, chars, bytes, longs, ints, uuids; for bytes also md5, sha384,"
          + " murmur3, siphash24; and these four hashes with utf8, longs and uuids, as in"
          + " utf8:md5.",
      "",
      "Your own class is named as package.Class and needs a constructor without parameters."
          + " package.Class#NAME is the value of a static field or enum constant NAME, or the"
          + " result of a static method NAME without parameters. The strategy must hash"
          + " String, CharSequence, byte[], Long, Integer or UUID.",
      "",
      "Each line of FILE is converted to the type that the strategy hashes: from text in"
          + " UTF-8, the bytes themselves, a decimal number, or a UUID of 36 characters. Lines"
          + " end with a line feed, or a carriage return and a line feed. Empty lines and"
          + " repeats are skipped. A file compressed by gzip is decompressed.",
      "",
      "At most N distinct keys are examined, from 2 to 16777216. They are kept in memory. With"
          + " fewer keys than the default, the verdict is often INCONCLUSIVE; more keys detect"
          + " smaller faults.",
      "",
      "--plot draws the p-values, the numbers of keys in the ranges of a filter, and the frequency"
          + " with which each bit of the key flips each bit of the hash."
    },
    exitCodeList = {
      "0:the strategy is FIT",
      "1:another verdict",
      ExitCode.FAILURE_HELP,
      ExitCode.OUTPUT_CLOSED_HELP
    })
public final class ExamineCommand extends Subcommand implements Callable<Integer> {

  private static final int NOT_FIT = ExitCode.VIOLATION;

  private static final long MAX_KEYS = 1 << 24;

  private final Supplier<InputSource> standardInput;
  private final UnaryOperator<@Nullable String> environment;

  @Option(
      names = "--strategy",
      required = true,
      paramLabel = "NAME|CLASS",
      description = "The strategy to examine: the name of a ready-made one, or a class.")
  private String strategy = "";

  @Option(
      names = "--classpath",
      paramLabel = "JARS",
      description =
          "The class path of the class and of the classes it needs: jars, folders of classes,"
              + " and folder/* for all jars of a folder, separated by colons (Windows:"
              + " semicolons). Classes of Bloomkit and Java need not be listed.")
  private @Nullable String classPath;

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      description =
          "The file whose first distinct lines are the keys; standard input if it is -. If it is"
              + " left out, keys are generated.")
  private @Nullable Path input;

  @Option(
      names = "--generate",
      paramLabel = "KEYS",
      converter = KindOfKeys.class,
      description =
          "The keys to generate: sequential (the default), random, ids (identification"
              + " numbers), urls, uuids, timestamps, sparse (few set bits), low-entropy,"
              + " doubled (the same 32 bits twice), shifted (multiples of a power of two),"
              + " bit-reversed, byte-reversed, interleaved (two progressions in turn).")
  private @Nullable KeySource generated;

  @Mixin
  private final ItemsOption items =
      new ItemsOption(HashStrategyExamination.DEFAULT_KEYS, 2, MAX_KEYS);

  @Mixin private final SeedOption seed = new SeedOption();

  @Option(
      names = "--seeded",
      paramLabel = "S",
      converter = Arguments.WholeNumber.class,
      description = "Examines the strategy with a seed, as by HashStrategies.seeded.")
  private @Nullable Long seeded;

  @Option(
      names = "--salt",
      paramLabel = "S",
      defaultValue = "0",
      converter = Arguments.WholeNumber.class,
      description = "The salt of murmur3 (default: ${DEFAULT-VALUE}).")
  private long salt;

  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      description =
          "The file with the key of siphash24, 32 hexadecimal digits. Without this option, the"
              + " key is the value of the environment variable "
              + SipHashKey.VARIABLE
              + ", or else the key of SipHash's published test vectors.")
  private @Nullable Path keyFile;

  @Mixin private final PlotOption plot = new PlotOption();

  @Option(
      names = "--json",
      description =
          "Prints an object: strategy, verdict, keys, keysStillNeeded, source, lines (null if the"
              + " keys were generated), seed, nanosPerHash, bytesPerHash (null if unknown),"
              + " filters, skipped and tests, an array of objects: name, verdict, passed, pValue,"
              + " alpha, power, statistic, expected, sampleSize, measured, alternative, question,"
              + " source, meaning.")
  private boolean json;

  /**
   * Creates the command.
   *
   * @param standardInput the input to use if it is selected
   * @param environment returns the value of an environment variable, or null if it is not set
   */
  public ExamineCommand(
      Supplier<InputSource> standardInput, UnaryOperator<@Nullable String> environment) {
    this.standardInput = standardInput;
    this.environment = environment;
  }

  @Override
  public Integer call() {
    items.check();
    Arguments.checkRange("--salt", salt, Integer.MIN_VALUE, Integer.MAX_VALUE);
    if (input != null && generated != null) {
      throw new IllegalArgumentException(
          "the keys must come from one source, got --generate "
              + generated.label()
              + " and FILE "
              + input);
    }
    plot.requireWritable();
    if (classPath == null) {
      return examine(subject(ExamineCommand.class.getClassLoader()));
    }
    try (UserClasses classes = UserClasses.of(classPath)) {
      return examine(subject(classes));
    }
  }

  private Subject<?> subject(ClassLoader loader) {
    ReadyMadeStrategy.Settings settings =
        new ReadyMadeStrategy.Settings((int) salt, () -> SipHashKey.of(keyFile, environment));
    Subject<?> subject = ReadyMadeStrategy.of(strategy, settings);
    if (subject == null) {
      if (classPath == null && strategy.indexOf('.') < 0) {
        throw new IllegalArgumentException(
            "there is no strategy '"
                + strategy
                + "'; ready-made strategies: "
                + String.join(", ", ReadyMadeStrategy.names())
                + "; your own class requires --classpath");
      }
      subject = LoadedStrategy.of(strategy, loader);
    }
    return seeded == null ? subject : subject.seeded(seeded);
  }

  private <T> int examine(Subject<T> subject) {
    HashStrategyExamination<T> examination =
        HashStrategyExamination.<T>of(subject.strategy())
            .keys((int) items.value())
            .seed(seed.value());
    ExaminationReport report;
    ExamineReport.Origin origin;
    if (input == null) {
      KeySource kind = Objects.requireNonNullElse(generated, KeySource.SEQUENTIAL);
      examination.elements(subject.form().keys(kind, seed.value()));
      report = run(examination);
      origin = new ExamineReport.Origin(kind.label(), null);
    } else {
      InputSource opened = InputSource.of(input, standardInput).decompressed(null);
      LineKeys<T> lines = new LineKeys<>(opened, subject.form());
      examination.elements(lines);
      report = run(examination);
      origin = new ExamineReport.Origin(opened.name(), lines.lines());
    }
    ExamineReport shown = new ExamineReport(report, origin);
    out().println(json ? shown.json() : shown.table());
    plot.write(() -> ExaminePlot.png(report, origin.name()));
    return report.verdict() == Verdict.FIT ? 0 : NOT_FIT;
  }

  /**
   * Runs the examination. Attributes an exception after the first step has begun to the strategy,
   * since all keys have then been read.
   */
  private static ExaminationReport run(HashStrategyExamination<?> examination) {
    try (ExamineProgress progress = ExamineProgress.onTerminal()) {
      examination.listener(progress);
      try {
        return examination.run();
      } catch (RuntimeException | LinkageError | StackOverflowError e) {
        String step = progress.step();
        if (step == null) {
          throw e;
        }
        throw new IllegalArgumentException(
            "the strategy failed (step: " + step + "): " + StrategyFailure.describe(e), e);
      }
    }
  }

  /** Parses the name of a kind of keys. */
  static final class KindOfKeys implements ITypeConverter<KeySource> {

    @Override
    public KeySource convert(String value) {
      try {
        return KeySource.of(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
