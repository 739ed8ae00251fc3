package io.bloomkit.stress;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.openjdk.jcstress.Options;
import org.openjdk.jcstress.TestExecutor;
import org.openjdk.jcstress.infra.TestInfo;
import org.openjdk.jcstress.infra.collectors.InProcessCollector;
import org.openjdk.jcstress.infra.collectors.SerializedBufferCollector;
import org.openjdk.jcstress.infra.runners.TestConfig;
import org.openjdk.jcstress.infra.runners.TestList;
import org.openjdk.jcstress.os.OSSupport;
import org.openjdk.jcstress.os.Scheduler;
import org.openjdk.jcstress.os.SchedulingClass;
import org.openjdk.jcstress.os.topology.Topology;
import org.openjdk.jcstress.vm.CompileMode;
import org.openjdk.jcstress.vm.VMSupport;

/** Runs races on filters, each race in virtual machines of its own. */
final class RaceRunner {

  /** Flags by which the C2 compiler randomizes the instruction order where it is free to choose. */
  private static final List<String> ANY_ORDER =
      List.of(
          "-XX:+UseSerialGC",
          "-XX:+StressLCM",
          "-XX:+StressGCM",
          "-XX:+StressIGVN",
          "-XX:+StressCCP");

  private final Options options;
  private final Scheduler scheduler;

  /** Determines the capabilities of the machine and the virtual machine, which takes seconds. */
  RaceRunner(Options options) throws Exception {
    this.options = options;
    OSSupport.init();
    VMSupport.initFlags(options);
    scheduler = new Scheduler(Topology.get(), options.getCPUCount());
  }

  /** Runs all races of a filter and returns their results. */
  Results run(Subject subject) throws IOException {
    Pattern chosen = Pattern.compile(options.getTestFilter());
    List<String> races =
        TestList.tests().stream()
            .filter(race -> subject.runs(race) && chosen.matcher(race).find())
            .sorted()
            .toList();
    List<TestConfig> runs = new ArrayList<>();
    races.forEach(race -> addRuns(subject, TestList.getInfo(race), runs));
    InProcessCollector results = new InProcessCollector();
    SerializedBufferCollector buffer = new SerializedBufferCollector(results);
    new TestExecutor(options.verbosity(), buffer, scheduler).runAll(runs);
    buffer.close();
    return new Results(subject, races, List.copyOf(results.getTestResults()));
  }

  private void addRuns(Subject subject, TestInfo race, List<TestConfig> runs) {
    List<String> flags = new ArrayList<>(List.of("-D" + Subject.PROPERTY + "=" + subject));
    flags.addAll(options.getJvmArgs().isEmpty() ? ANY_ORDER : options.getJvmArgs());
    for (SchedulingClass processors :
        scheduler.scheduleClasses(race.threads(), options.getCPUCount(), options.affinityMode())) {
      for (int compilers : compilers(race)) {
        for (int fork = 0; fork < options.getForks(); fork++) {
          runs.add(new TestConfig(options, race, fork, flags, compilers, processors));
        }
      }
    }
  }

  /**
   * Returns the choices of compilers for the threads: every combination, or one for all threads.
   */
  private int[] compilers(TestInfo race) {
    return options.isSplitCompilation() && VMSupport.compilerDirectivesAvailable()
        ? CompileMode.casesFor(race.threads(), VMSupport.c1Available(), VMSupport.c2Available())
        : new int[] {CompileMode.UNIFIED};
  }
}
