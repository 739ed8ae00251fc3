package io.bloomkit.cli;

import io.bloomkit.cli.dedup.DedupCommand;
import io.bloomkit.cli.examine.ExamineCommand;
import io.bloomkit.cli.experiment.ExperimentCommand;
import io.bloomkit.cli.experiment.ViolationException;
import io.bloomkit.cli.experiment.clicks.ClickPlan;
import io.bloomkit.cli.experiment.clicks.ClicksCommand;
import io.bloomkit.cli.experiment.fill.AccountsCommand;
import io.bloomkit.cli.experiment.fill.IdsCommand;
import io.bloomkit.cli.filter.AddCommand;
import io.bloomkit.cli.filter.ApplyCommand;
import io.bloomkit.cli.filter.BuildCommand;
import io.bloomkit.cli.filter.CheckCommand;
import io.bloomkit.cli.filter.CombineCommand;
import io.bloomkit.cli.filter.ConvertCommand;
import io.bloomkit.cli.filter.CountCommand;
import io.bloomkit.cli.filter.DeltaCommand;
import io.bloomkit.cli.filter.InspectCommand;
import io.bloomkit.cli.filter.RemoveCommand;
import io.bloomkit.cli.io.ExitCode;
import io.bloomkit.cli.io.StandardOutput;
import io.bloomkit.cli.io.StandardStreams;
import io.bloomkit.cli.size.SizeCommand;
import io.bloomkit.cli.text.Arguments;
import io.bloomkit.cli.text.Figures;
import java.io.File;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The {@code bloom} command. It prints results to standard output and everything else to standard
 * error.
 */
@Command(
    name = "bloom",
    description = {
      "Builds, queries and updates Bloom filters in files, drops repeated lines, sizes filters,"
          + " measures their false-positive rates, and examines hash strategies.",
      "",
      "bloom help COMMAND, or bloom COMMAND --help, describes a command."
    },
    scope = ScopeType.INHERIT,
    mixinStandardHelpOptions = true,
    versionProvider = Bloom.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    exitCodeOnExecutionException = ExitCode.FAILURE,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:success", ExitCode.FAILURE_HELP, ExitCode.OUTPUT_CLOSED_HELP})
public final class Bloom {

  /** What Java makes of the bytes of an argument that it cannot decode. */
  private static final char REPLACEMENT = 0xfffd;

  private static final String HELP = "help";

  private Bloom() {}

  /**
   * What the commands take from outside.
   *
   * @param variables returns the value of an environment variable, or null if it is not set
   * @param candidates the filters of the experiment with ids
   * @param clicks the filters of the experiment with clicks
   */
  record Environment(
      StandardStreams streams,
      InstantSource clock,
      UnaryOperator<@Nullable String> variables,
      IdsCommand.CandidateFactory candidates,
      ClickPlan.Factory clicks) {

    static Environment of(StandardStreams streams) {
      return new Environment(
          streams,
          InstantSource.system(),
          System::getenv,
          IdsCommand::candidates,
          ClickPlan::ofExperiment);
    }
  }

  /** Runs the command and exits with its code. */
  public static void main(String[] arguments) {
    Environment environment = Environment.of(StandardStreams.ofProcess());
    System.exit(run(commandLine(environment, arguments), arguments));
  }

  private static Map<String, Supplier<Object>> commands(Environment environment) {
    StandardStreams streams = environment.streams;
    Map<String, Supplier<Object>> commands = new LinkedHashMap<>();
    commands.put("size", SizeCommand::new);
    commands.put("build", () -> new BuildCommand(streams));
    commands.put("add", () -> new AddCommand(streams));
    commands.put("remove", () -> new RemoveCommand(streams));
    commands.put("check", () -> new CheckCommand(streams));
    commands.put("count", () -> new CountCommand(streams));
    commands.put("merge", CombineCommand.Merge::new);
    commands.put("intersect", CombineCommand.Intersect::new);
    commands.put("subtract", CombineCommand.Subtract::new);
    commands.put("delta", DeltaCommand::new);
    commands.put("apply", ApplyCommand::new);
    commands.put("convert", ConvertCommand::new);
    commands.put("inspect", InspectCommand::new);
    commands.put("dedup", () -> new DedupCommand(streams, environment.clock));
    commands.put("examine", () -> new ExamineCommand(streams.in(), environment.variables));
    commands.put(
        "experiment",
        () ->
            new CommandLine(new ExperimentCommand())
                .addSubcommand(new IdsCommand(environment.candidates))
                .addSubcommand(new ClicksCommand(environment.clicks))
                .addSubcommand(new AccountsCommand()));
    commands.put("completion", CompletionCommand::new);
    return commands;
  }

  /**
   * Returns the command line for some arguments, without the commands that are not needed to parse
   * them, if that is clear. Describing all commands to picocli takes longer than most runs.
   */
  static CommandLine commandLine(Environment environment, String... arguments) {
    Map<String, Supplier<Object>> commands = commands(environment);
    String first = arguments.length == 0 ? "" : arguments[0];
    if (first.equals("--version")) {
      commands.clear();
    } else if (commands.containsKey(first) && !first.equals("completion")) {
      commands.keySet().retainAll(Set.of(first));
    }
    CommandLine bloom = new CommandLine(new Bloom());
    commands.values().forEach(command -> bloom.addSubcommand(command.get()));
    registerChoices(bloom);
    return bloom
        .setExpandAtFiles(false) // files may have such names
        .setOut(new StandardOutput(environment.streams.out()).writer())
        .setExecutionStrategy(Bloom::execute)
        .setParameterExceptionHandler((e, words) -> reportFailure(e.getCommandLine(), e))
        .setExecutionExceptionHandler((e, commandLine, parsed) -> reportFailure(commandLine, e));
  }

  /** Makes the values of enums parsed in any case, and refused with the values in the help. */
  private static void registerChoices(CommandLine commandLine) {
    for (ArgSpec argument : commandLine.getCommandSpec().args()) {
      if (argument.type().isEnum()) {
        registerChoice(commandLine, argument.type());
      }
    }
    commandLine.getSubcommands().values().forEach(Bloom::registerChoices);
  }

  private static <T> void registerChoice(CommandLine commandLine, Class<T> type) {
    List<T> choices = List.of(type.getEnumConstants());
    commandLine.registerConverter(type, value -> Arguments.choice(choices, value));
  }

  /**
   * Executes the command. Handles failures to print the help, which picocli prints before a command
   * runs, like failures of the command.
   */
  private static int execute(ParseResult parsed) {
    try {
      return new RunLast().execute(parsed);
    } catch (StandardOutput.ClosedException | UncheckedIOException e) {
      throw new ExecutionException(parsed.commandSpec().commandLine(), e.getMessage(), e);
    }
  }

  /** Returns the message if an argument has bytes that Java could not decode, or null. */
  private static @Nullable String refusal(List<String> arguments) {
    for (String argument : arguments) {
      if (argument.indexOf(REPLACEMENT) >= 0) {
        String encoding = String.valueOf(System.getProperty("sun.jnu.encoding"));
        return "bloom: the argument '"
            + argument
            + "' has bytes that are no text in the encoding of this locale, "
            + encoding
            + (encoding.equals("UTF-8") ? "" : "; a locale of UTF-8 carries them: LC_ALL=C.UTF-8");
      }
    }
    return null;
  }

  static int run(CommandLine commandLine, String... arguments) {
    PrintWriter err = commandLine.getErr();
    String refusal = refusal(List.of(arguments));
    if (refusal != null) {
      err.println(refusal);
      return ExitCode.FAILURE;
    }
    try {
      return commandLine.execute(splitBlankValues(withHelpAsOption(commandLine, arguments)));
    } catch (OutOfMemoryError e) {
      String message = String.valueOf(e.getMessage());
      String remedy = message.contains("-Xmx") ? "" : "; increase it with -Xmx";
      err.println("bloom: not enough memory: " + message + remedy);
      return ExitCode.FAILURE;
    } catch (Error e) { // a bug in the program or the runtime, not a violation
      e.printStackTrace(err);
      return ExitCode.FAILURE;
    }
  }

  /**
   * Makes {@code COMMAND --help} of {@code help COMMAND}, if there is that command, and {@code
   * --version} of {@code version}.
   */
  private static String[] withHelpAsOption(CommandLine bloom, String... arguments) {
    if (arguments.length == 1 && arguments[0].equals("version")) {
      return new String[] {"--version"};
    }
    if (arguments.length == 0 || !arguments[0].equals(HELP)) {
      return arguments;
    }
    Stream<String> words = Stream.of(arguments).skip(1);
    boolean isCommand = arguments.length == 1 || bloom.getSubcommands().containsKey(arguments[1]);
    return (isCommand ? Stream.concat(words, Stream.of("--help")) : words).toArray(String[]::new);
  }

  /** Parts {@code -t' '} in two arguments, as picocli takes a blank attached value for none. */
  private static String[] splitBlankValues(String... arguments) {
    return Stream.of(arguments)
        .flatMap(
            argument ->
                argument.length() > 2 && argument.startsWith("-") && argument.substring(2).isBlank()
                    ? Stream.of(argument.substring(0, 2), argument.substring(2))
                    : Stream.of(argument))
        .toArray(String[]::new);
  }

  /**
   * Prints the message of a failure on one line and returns the exit code. Prints nothing if the
   * reader of the output has closed it. Rethrows the exception of a bug in the program, for its
   * stack trace.
   */
  private static int reportFailure(CommandLine commandLine, Exception e) throws Exception {
    if (e instanceof StandardOutput.ClosedException) {
      return ExitCode.OUTPUT_CLOSED;
    }
    String message =
        e instanceof UnmatchedArgumentException unmatched && isNoCommand(unmatched)
            ? noCommand(unmatched)
            : e instanceof UnmatchedArgumentException unmatched && unmatched.isUnknownOption()
                ? noOption(unmatched)
                : String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    if (commandLine.getCommandSpec().findOption("--items") != null) {
      message = Arguments.withOptions(message);
    }
    if (e instanceof ParameterException) {
      message += " (see " + commandLine.getCommandSpec().qualifiedName() + " --help)";
    } else if (!(e instanceof ViolationException)
        && !(e instanceof IllegalArgumentException)
        && !(e instanceof UncheckedIOException)) {
      throw e;
    }
    commandLine.getErr().println("bloom: " + Figures.printable(message));
    return e instanceof ViolationException ? ExitCode.VIOLATION : ExitCode.FAILURE;
  }

  private static boolean isNoCommand(UnmatchedArgumentException e) {
    return !e.isUnknownOption() && !e.getCommandLine().getSubcommands().isEmpty();
  }

  private static String noCommand(UnmatchedArgumentException e) {
    return "there is no command '"
        + e.getUnmatched().get(0)
        + "'"
        + Suggestion.of(e.getUnmatched().get(0), namesIn(e.getCommandLine()))
            .map(command -> "; did you mean " + command + "?")
            .orElse("");
  }

  /** Names the first unknown option; picocli's message has all words from there on. */
  private static String noOption(UnmatchedArgumentException e) {
    String option =
        e.getUnmatched().stream().filter(word -> word.startsWith("-")).findFirst().orElse("-");
    return "there is no option '"
        + option
        + "'"
        + Suggestion.ofOption(option, e.getCommandLine().getCommandSpec().optionsMap().keySet())
            .map(meant -> "; did you mean " + meant + "?")
            .orElse(
                // a Path refuses some names
                new File(option).exists() ? "; before names that begin with -, give --" : "");
  }

  /** Returns the names of commands; of all commands, {@code help} is one. */
  private static Set<String> namesIn(CommandLine commandLine) {
    Set<String> names = new TreeSet<>(commandLine.getSubcommands().keySet());
    if (commandLine.getParent() == null) {
      names.add(HELP);
    }
    return names;
  }

  /** Returns the version in the manifest of the jar. */
  static final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
      String version = Bloom.class.getPackage().getImplementationVersion();
      return new String[] {"bloom " + (version == null ? "(not packaged)" : version)};
    }
  }
}
