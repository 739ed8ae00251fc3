package io.bloomkit.examples;

import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.durable.DurableFilter;
import io.bloomkit.durable.SyncPolicy;
import io.bloomkit.hash.HashStrategies;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.SplittableRandom;

/**
 * Forwards each mail once, although the relay is killed again and again. After a restart, the queue
 * delivers again what it is not sure of: the last mails before the kill. The relay keeps the ids of
 * forwarded mails in a durable filter. Each one is on the disk before the mail is forwarded.
 *
 * <p>A false positive is a mail that is not forwarded, and so is the one at the moment of a kill.
 */
final class MailRelay {

  private static final int KILLS = 5;
  private static final int DELIVERED_AGAIN = 500;
  private static final double FPP = 0.001;

  private final Path folder;
  private final int mails;
  private final BitSet forwarded = new BitSet();
  private int forwardedTwice;
  private long deliveries;
  private String opened = "";

  private MailRelay(Path folder, int mails) {
    this.folder = folder;
    this.mails = mails;
  }

  static void run(int mails, Path folder, Report report) throws Exception {
    MailRelay example = new MailRelay(folder.resolve("forwarded"), mails);
    SplittableRandom random = new SplittableRandom(1);
    long began = System.nanoTime();
    int next = 0;
    for (int kill = 0; kill < KILLS; kill++) {
      int until = next + 1 + random.nextInt(mails / KILLS);
      next = example.deliver(Math.max(0, next - DELIVERED_AGAIN), until);
    }
    example.deliver(Math.max(0, next - DELIVERED_AGAIN), Integer.MAX_VALUE);
    report.timed("mails delivered", example.deliveries, began);
    report.line("relays killed", "%d", KILLS);
    report.line("mails forwarded twice", "%d", example.forwardedTwice);
    report.line(
        "mails not forwarded",
        "%d of %,d, at most %.1f expected",
        mails - example.forwarded.cardinality(),
        mails,
        FPP * mails + KILLS);
    report.line("at the last start", "%s", example.opened);
  }

  /**
   * Starts a relay, delivers mails to it, and kills it at one of them.
   *
   * @return the number of the mail at which it was killed or ended
   */
  private int deliver(int from, int killAt) throws IOException, InterruptedException {
    Process relay =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                MailRelay.class.getName(),
                folder.toString(),
                String.valueOf(from),
                String.valueOf(mails))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    int last = from;
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(relay.getInputStream(), StandardCharsets.UTF_8))) {
      opened = String.valueOf(lines.readLine());
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        int mail = Integer.parseInt(line);
        forwardedTwice += forwarded.get(mail) ? 1 : 0;
        forwarded.set(mail);
        last = Math.max(last, mail);
        if (mail >= killAt) {
          relay.toHandle().destroyForcibly(); // kill -9
        }
      }
    }
    relay.waitFor();
    int end = killAt == Integer.MAX_VALUE ? mails : last + 1;
    deliveries += end - from;
    return end;
  }

  /** The relay: forwards mails by printing their numbers. */
  public static void main(String[] arguments) throws IOException {
    PrintStream forward = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    int mails = Integer.parseInt(arguments[2]);
    try (DurableFilter<String> seen =
        DurableFilter.open(
            Path.of(arguments[0]),
            BlockedBloomFilter.builder(HashStrategies.utf8()).expecting(mails, FPP),
            SyncPolicy.EVERY_UPDATE)) {
      forward.printf(
          "%,d updates repeated, %d bytes cut off%n",
          seen.recovery().updates(), seen.recovery().bytesCut());
      for (int mail = Integer.parseInt(arguments[1]); mail < mails; mail++) {
        if (seen.add("<" + mail + "@example.org>")) { // on the disk when it returns
          forward.println(mail);
        }
      }
    }
  }
}
