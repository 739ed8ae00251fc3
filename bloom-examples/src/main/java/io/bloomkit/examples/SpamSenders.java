package io.bloomkit.examples;

import io.bloomkit.FilterFormatException;
import io.bloomkit.cuckoo.DynamicCuckooFilter;
import io.bloomkit.format.Delta;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Ships a list of spam senders to a mail gateway. The list gains and loses addresses every hour.
 * The gateway receives each change as a delta, which is much smaller than the filter.
 *
 * <p>Senders choose their addresses. With a public hash, a spammer can search for an address with
 * the same fingerprint as a victim's address and get it listed. The gateway then refuses the
 * victim's mail. With a hash under a secret key, the search does not help: see {@link #attack}. The
 * author of the list and the gateway share the key. Filters and deltas do not contain it.
 */
final class SpamSenders {

  private static final double FPP = 0.001;
  private static final int HOURS = 24;
  private static final int LEGITIMATE = 1_000_000;

  private SpamSenders() {}

  /** A mail gateway that refuses mail by its copy of the list. */
  private static final class Gateway {

    private final HashStrategy<CharSequence> strategy;
    private DynamicCuckooFilter<String> listed;

    Gateway(HashStrategy<CharSequence> strategy, byte[] list) throws FilterFormatException {
      this.strategy = strategy;
      listed = DynamicCuckooFilter.fromBytes(list, strategy);
    }

    void receive(byte[] delta) throws FilterFormatException {
      listed =
          Delta.fromBytes(delta)
              .apply(listed, bytes -> DynamicCuckooFilter.fromBytes(bytes, strategy));
    }

    boolean refuses(String sender) {
      return listed.mightContain(sender);
    }
  }

  static void run(int addresses, Path folder, Report report) throws FilterFormatException {
    byte[] key = new byte[16];
    new SecureRandom().nextBytes(key);
    HashStrategy<CharSequence> keyed = HashStrategies.utf8(HashStrategies.sipHash24(key));

    DynamicCuckooFilter<String> list = DynamicCuckooFilter.create(keyed, 2L * addresses, FPP);
    Queue<String> senders = new ArrayDeque<>(); // the exact list, oldest first
    for (int i = 0; i < addresses; i++) {
      senders.add(spammer(i));
    }
    senders.forEach(list::add);
    Gateway gateway = new Gateway(keyed, list.toBytes());
    report.line(
        "filter of the list", "%,d bytes for %,d addresses", list.toBytes().length, addresses);

    int changes = addresses / 1000;
    int next = addresses;
    long deltaBytes = 0;
    for (int hour = 0; hour < HOURS; hour++) {
      DynamicCuckooFilter<String> sent = list.copy();
      for (int i = 0; i < changes; i++) {
        list.remove(senders.remove());
        String listed = spammer(next++);
        senders.add(listed);
        list.add(listed);
      }
      byte[] delta = Delta.between(sent, list).toBytes();
      gateway.receive(delta);
      deltaBytes += delta.length;
    }
    report.line(
        "delta of an hour",
        "%,d bytes for %d removed and %d added",
        deltaBytes / HOURS,
        changes,
        changes);
    report.line("gateway has the list", "%b", gateway.listed.equals(list));
    long accepted = senders.stream().filter(sender -> !gateway.refuses(sender)).count();
    report.line("listed senders accepted", "%d of %,d", accepted, senders.size());
    int refused = 0;
    for (int i = 0; i < LEGITIMATE; i++) {
      refused += gateway.refuses("person" + i + "@example.org") ? 1 : 0;
    }
    report.falsePositives(
        "false positives, random key", refused, LEGITIMATE, gateway.listed.expectedFpp());
    attack(keyed, report);
  }

  /**
   * Searches for an address with a victim's fingerprint under a public hash, and lists it under the
   * public hash and under a keyed hash.
   */
  private static void attack(HashStrategy<CharSequence> keyed, Report report) {
    String victim = "ceo@example.org";
    DynamicCuckooFilter<String> copy = // an attacker can build it
        DynamicCuckooFilter.create(HashStrategies.utf8(), 10_000, FPP);
    copy.add(victim);
    int tries = 1;
    while (!copy.mightContain(spammer(tries))) {
      tries++;
    }
    report.line("attack, public hash", "listing %s refuses %s", spammer(tries), victim);
    DynamicCuckooFilter<String> list = DynamicCuckooFilter.create(keyed, 10_000, FPP);
    list.add(spammer(tries));
    report.line(
        "attack, keyed hash",
        "listing it %s %s",
        list.mightContain(victim) ? "refuses" : "does not refuse",
        victim);
  }

  private static String spammer(int number) {
    return "offer" + number + "@example.com";
  }
}
