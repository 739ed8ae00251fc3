package io.bloomkit.spark;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;

/**
 * A Master and Workers of Spark on the loopback interface, each a process, whose executors are
 * processes too. They run from the jars of the class path.
 */
final class StandaloneCluster implements AutoCloseable {

  private static final String HOST = "127.0.0.1";
  private static final String CLASS_PATH = System.getProperty("java.class.path");
  private static final long MAX_NANOS = TimeUnit.MINUTES.toNanos(2);

  private final Path folder;
  private final Path sparkHome;
  private final int port;
  private final Process master;
  private final List<Process> workers = new ArrayList<>();

  StandaloneCluster(Path folder, int workerCount) throws IOException, InterruptedException {
    this.folder = folder;
    this.sparkHome = layOutHome(folder.resolve("home"));
    this.port = freePort();
    this.master =
        start(
            "master",
            "org.apache.spark.deploy.master.Master",
            "--host",
            HOST,
            "--port",
            Integer.toString(port),
            "--webui-port",
            "0");
    awaitMaster();
    for (int i = 0; i < workerCount; i++) {
      workers.add(
          start(
              "worker" + i,
              "org.apache.spark.deploy.worker.Worker",
              "--host",
              HOST,
              "--webui-port",
              "0",
              "--cores",
              "1",
              "--memory",
              "600m",
              "--work-dir",
              work(i).toString(),
              url()));
    }
  }

  String url() {
    return "spark://" + HOST + ":" + port;
  }

  /** Returns a session on this cluster, with an executor for each worker. */
  SparkSession connect() throws InterruptedException {
    SparkSession session =
        LocalSpark.local(url())
            .config("spark.sql.warehouse.dir", folder.resolve("warehouse").toUri().toString())
            .config("spark.executor.memory", "512m")
            .config("spark.executor.cores", 1)
            .config("spark.executor.extraClassPath", CLASS_PATH) // the home has no folders
            .getOrCreate();
    int all = workers.size() + 1; // the driver counts
    try {
      await(
          "the executors",
          () -> session.sparkContext().statusTracker().getExecutorInfos().length == all);
    } catch (Throwable e) {
      session.stop(); // else later tests would take it for theirs
      throw e;
    }
    return session;
  }

  static void await(String what, BooleanSupplier condition) throws InterruptedException {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() - start < MAX_NANOS, "no sign of " + what);
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  /** Kills the worker of an executor, and that, at once, as a machine that loses its power. */
  void killWorkerOf(String executor) throws IOException {
    for (int i = 0; i < workers.size(); i++) {
      Path work = work(i);
      try (Stream<Path> folders = Files.walk(work, 2)) {
        if (folders.anyMatch(path -> path.endsWith(executor))) {
          kill(workers.get(i));
          return;
        }
      }
    }
    throw new IllegalStateException("no worker has executor " + executor);
  }

  private Path work(int worker) {
    return folder.resolve("work" + worker);
  }

  /** A worker finds Spark, to start executors, by SPARK_HOME/jars. */
  private static Path layOutHome(Path home) throws IOException {
    Path jars = Files.createDirectories(home.resolve("jars"));
    for (String entry : List.of(CLASS_PATH.split(File.pathSeparator, -1))) {
      Path jar = Path.of(entry);
      if (entry.endsWith(".jar") && Files.exists(jar)) {
        Files.createSymbolicLink(jars.resolve(jar.getFileName()), jar.toAbsolutePath());
      }
    }
    return home;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private Process start(String name, String... command) throws IOException {
    List<String> all = new ArrayList<>();
    all.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    all.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-cp", CLASS_PATH));
    all.addAll(Arrays.asList(command));
    ProcessBuilder builder =
        new ProcessBuilder(all)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve(name + ".log").toFile());
    builder.environment().put("SPARK_HOME", sparkHome.toString());
    builder.environment().put("SPARK_LOCAL_IP", HOST);
    builder.environment().put("SPARK_SCALA_VERSION", "2.13");
    return builder.start();
  }

  private void awaitMaster() throws InterruptedException {
    long start = System.nanoTime();
    while (true) {
      try {
        new Socket(InetAddress.getLoopbackAddress(), port).close();
        return;
      } catch (IOException e) {
        if (!master.isAlive() || System.nanoTime() - start > MAX_NANOS) {
          close();
          throw new IllegalStateException("the master did not start: see " + folder, e);
        }
        TimeUnit.MILLISECONDS.sleep(100);
      }
    }
  }

  private static void kill(Process process) {
    List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
    all.add(process.toHandle());
    all.forEach(ProcessHandle::destroyForcibly);
    all.forEach(each -> each.onExit().join());
  }

  @Override
  public void close() {
    workers.forEach(StandaloneCluster::kill);
    kill(master);
  }
}
