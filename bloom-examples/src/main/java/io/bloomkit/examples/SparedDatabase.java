package io.bloomkit.examples;

import io.bloomkit.counting.dynamic.DynamicCuckooFilter;
import io.bloomkit.hash.HashStrategies;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Spares a database the lookups of rows that do not exist. A sign-up form looks up whether an
 * address has an account; nine in ten have none. The table is on disk, in an H2 database.
 *
 * <p>The filter must be positive whenever a reader may see the row. An address therefore enters the
 * filter before its row is committed, and leaves it after the deletion is committed. A crash
 * between the two steps leaves an address in the filter that has no row: one more read, and the
 * right answer.
 */
final class SparedDatabase {

  private final Connection database;
  private final DynamicCuckooFilter<String> filter;
  private int reads;

  private SparedDatabase(Connection database, int rows) throws SQLException {
    this.database = database;
    database.setAutoCommit(false);
    try (Statement statement = database.createStatement()) {
      statement.execute(
          "CREATE TABLE account (email VARCHAR PRIMARY KEY) AS SELECT LPAD(x, 8, '0') ||"
              + (" '@example.org' FROM SYSTEM_RANGE(0, " + (rows - 1) + ")"));
    }
    filter =
        DynamicCuckooFilter.builder(HashStrategies.utf8())
            .expectingAtMost(2L * rows, 0.01) // room to grow: memory is taken as it fills
            .concurrent() // for the threads of a server
            .build();
    filter.addAll(accounts());
  }

  private boolean exists(String email) throws SQLException {
    return filter.mightContain(email) && isInTable(email);
  }

  private void insert(String email) throws SQLException {
    filter.add(email);
    execute("INSERT INTO account (email) VALUES (?)", email);
    database.commit();
  }

  private void delete(String email) throws SQLException {
    boolean existed = execute("DELETE FROM account WHERE email = ?", email);
    database.commit();
    if (existed) { // remove only what was added: the table knows
      filter.remove(email);
    }
  }

  private boolean isInTable(String email) throws SQLException {
    reads++;
    return execute("SELECT email FROM account WHERE email = ?", email);
  }

  /** Executes a statement and returns whether it found or changed a row. */
  private boolean execute(String sql, String email) throws SQLException {
    try (PreparedStatement statement = database.prepareStatement(sql)) {
      statement.setString(1, email);
      return statement.execute() ? statement.getResultSet().next() : statement.getUpdateCount() > 0;
    }
  }

  private List<String> accounts() throws SQLException {
    List<String> emails = new ArrayList<>();
    try (Statement statement = database.createStatement();
        ResultSet row = statement.executeQuery("SELECT email FROM account")) {
      while (row.next()) {
        emails.add(row.getString(1));
      }
    }
    return emails;
  }

  private static String email(int user) {
    return "%08d@example.org".formatted(user);
  }

  static void run(int rows, Path folder, Report report) throws SQLException {
    String url = "jdbc:h2:" + folder.resolve("accounts").toUri();
    try (Connection database = DriverManager.getConnection(url)) {
      SparedDatabase accounts = new SparedDatabase(database, rows);
      accounts.lookUp(rows, report);
      accounts.change(rows, report);
      accounts.crash(report);
    }
  }

  private void lookUp(int rows, Report report) throws SQLException {
    SplittableRandom random = new SplittableRandom(1);
    String[] emails = new String[rows];
    for (int i = 0; i < rows; i++) { // one in ten has an account, the others are queried once
      emails[i] = email(random.nextInt(10) == 0 ? random.nextInt(rows) : rows + i);
    }
    int found = found(emails, false, report);
    int foundWithFilter = found(emails, true, report);
    report.line("reads spared", "%,d of %,d", rows - reads, rows - found);
    report.line("accounts not found", "%d", found - foundWithFilter);
    report.falsePositives("false positives", reads - found, rows - found, filter.expectedFpp());
    report.line("memory of the filter", "%,d kB", filter.memoryBytes() / 1000);
  }

  private int found(String[] emails, boolean withFilter, Report report) throws SQLException {
    int found = 0;
    reads = 0;
    long start = System.nanoTime();
    for (String email : emails) {
      found += (withFilter ? exists(email) : isInTable(email)) ? 1 : 0;
    }
    report.timed(withFilter ? "reads with a filter" : "reads without a filter", reads, start);
    return found;
  }

  private void change(int rows, Report report) throws SQLException {
    int changes = rows / 100;
    for (int i = 0; i < changes; i++) {
      delete(email(i));
      insert(email(10 * rows + i));
    }
    long deleted =
        IntStream.range(0, changes).mapToObj(SparedDatabase::email).filter(filter).count();
    report.line("deleted accounts still positive", "%,d of %,d", deleted, changes);
    long missed = accounts().stream().filter(filter.negate()).count();
    report.line("accounts not positive", "%d of %,d", missed, rows);
  }

  /** Stops between two steps, in the order of {@link #insert} and {@link #delete} and in others. */
  private void crash(Report report) throws SQLException {
    filter.add("ann@example.com");
    database.rollback();
    report.line("insertion stops before its commit", "%s", state("ann@example.com"));
    insert("bob@example.com");
    execute("DELETE FROM account WHERE email = ?", "bob@example.com");
    database.commit();
    report.line("deletion stops after its commit", "%s", state("bob@example.com"));
    execute("INSERT INTO account (email) VALUES (?)", "carol@example.com");
    database.commit();
    report.line("wrong: commits, stops before add", "%s", state("carol@example.com"));
    insert("dan@example.com");
    filter.remove("dan@example.com");
    report.line("wrong: removes, stops before commit", "%s", state("dan@example.com"));
  }

  private String state(String email) throws SQLException {
    return "in the table: %s, found: %s".formatted(isInTable(email), exists(email));
  }
}
