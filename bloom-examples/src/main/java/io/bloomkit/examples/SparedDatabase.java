package io.bloomkit.examples;

import io.bloomkit.cuckoo.DynamicCuckooFilter;
import io.bloomkit.hash.HashStrategies;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Avoids database lookups of rows that do not exist. A sign-up form looks up whether an address has
 * an account; nine in ten have none. The table is on disk, in an H2 database.
 *
 * <p>The filter must be positive whenever a reader may see the row. An address therefore enters the
 * filter before its row is committed, and leaves it after the deletion is committed. A crash
 * between the two steps leaves an address without a row in the filter. This costs an unnecessary
 * read, but the answer is correct.
 */
final class SparedDatabase {

  private final AccountTable table;
  private final DynamicCuckooFilter<String> filter;

  private SparedDatabase(AccountTable table, int rows) throws SQLException {
    this.table = table;
    filter =
        DynamicCuckooFilter.builder(HashStrategies.utf8())
            .expecting(2L * rows, 0.01) // room to grow; memory is allocated as the filter fills
            .build();
    table.emails().forEach(filter::add);
  }

  private boolean exists(String email) throws SQLException {
    return filter.mightContain(email) && table.contains(email);
  }

  private void insert(String email) throws SQLException {
    filter.add(email);
    table.insert(email);
    table.commit();
  }

  private void delete(String email) throws SQLException {
    boolean existed = table.delete(email);
    table.commit();
    if (existed) { // remove only elements that were added
      filter.remove(email);
    }
  }

  static void run(int rows, Path folder, Report report) throws SQLException {
    try (AccountTable table = new AccountTable(folder, rows)) {
      SparedDatabase accounts = new SparedDatabase(table, rows);
      accounts.lookUp(rows, report);
      accounts.change(rows, report);
      accounts.crash(report);
    }
  }

  private void lookUp(int rows, Report report) throws SQLException {
    SplittableRandom random = new SplittableRandom(1);
    String[] emails = new String[rows];
    for (int i = 0;
        i < rows;
        i++) { // one in ten has an account; each of the others is queried once
      int user = random.nextInt(10) == 0 ? random.nextInt(rows) : rows + i;
      emails[i] = AccountTable.email(user);
    }
    int found = found(emails, false, report);
    int foundWithFilter = found(emails, true, report);
    int reads = table.reads() - rows;
    report.line("reads spared", "%,d of %,d", rows - reads, rows - found);
    report.line("accounts not found", "%d", found - foundWithFilter);
    report.falsePositives("false positives", reads - found, rows - found, filter.expectedFpp());
    report.line("memory of the filter", "%,d kB", filter.memoryBytes() / 1000);
  }

  private int found(String[] emails, boolean withFilter, Report report) throws SQLException {
    int found = 0;
    int readsBefore = table.reads();
    long start = System.nanoTime();
    for (String email : emails) {
      found += (withFilter ? exists(email) : table.contains(email)) ? 1 : 0;
    }
    String label = withFilter ? "reads with a filter" : "reads without a filter";
    report.timed(label, table.reads() - readsBefore, start);
    return found;
  }

  private void change(int rows, Report report) throws SQLException {
    int changes = rows / 100;
    for (int i = 0; i < changes; i++) {
      delete(AccountTable.email(i));
      insert(AccountTable.email(10 * rows + i));
    }
    long deleted = IntStream.range(0, changes).mapToObj(AccountTable::email).filter(filter).count();
    report.line("deleted accounts still positive", "%,d of %,d", deleted, changes);
    long missed = table.emails().stream().filter(filter.negate()).count();
    report.line("accounts not positive", "%d of %,d", missed, rows);
  }

  /**
   * Simulates a crash between two steps, in the order of {@link #insert} and {@link #delete} and in
   * the wrong order.
   */
  private void crash(Report report) throws SQLException {
    filter.add("ann@example.com");
    table.rollback();
    report.line("insertion stops before its commit", "%s", state("ann@example.com"));
    insert("bob@example.com");
    table.delete("bob@example.com");
    table.commit();
    report.line("deletion stops after its commit", "%s", state("bob@example.com"));
    table.insert("carol@example.com");
    table.commit();
    report.line("wrong: commits, stops before add", "%s", state("carol@example.com"));
    insert("dan@example.com");
    filter.remove("dan@example.com");
    report.line("wrong: removes, stops before commit", "%s", state("dan@example.com"));
  }

  private String state(String email) throws SQLException {
    return "in the table: %s, found: %s".formatted(table.contains(email), exists(email));
  }
}
