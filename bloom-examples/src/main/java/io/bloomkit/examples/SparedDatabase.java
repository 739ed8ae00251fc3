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
import java.util.SplittableRandom;

/**
 * Spares a database the lookups of rows that do not exist. A sign-up form looks up whether an
 * address has an account; nine in ten have none. The table is on disk, in an H2 database.
 *
 * <p>The filter must be positive whenever a reader may see the row. An address therefore enters the
 * filter before its row is committed, and leaves it after the deletion is committed. A crash
 * between the two steps leaves an address in the filter that has no row: one more read, and the
 * right answer.
 */
final class SparedDatabase implements AutoCloseable {

  private final Connection database;
  private final PreparedStatement select;
  private final PreparedStatement insert;
  private final PreparedStatement delete;
  private final DynamicCuckooFilter<String> filter;
  private int reads;

  private SparedDatabase(Path folder, int rows) throws SQLException {
    database =
        DriverManager.getConnection( // lazily: a scan does not keep all rows in memory
            "jdbc:h2:" + folder.resolve("accounts").toUri() + ";LAZY_QUERY_EXECUTION=1");
    database.setAutoCommit(false);
    try (Statement statement = database.createStatement()) {
      statement.execute(
          "CREATE TABLE account (email VARCHAR PRIMARY KEY, name VARCHAR) AS"
              + " SELECT LPAD(x, 8, '0') || '@example.org', 'User ' || x"
              + (" FROM SYSTEM_RANGE(0, " + (rows - 1) + ")"));
    }
    database.commit();
    select = database.prepareStatement("SELECT name FROM account WHERE email = ?");
    insert = database.prepareStatement("INSERT INTO account (email) VALUES (?)");
    delete = database.prepareStatement("DELETE FROM account WHERE email = ?");
    filter =
        DynamicCuckooFilter.builder(HashStrategies.utf8())
            .expectingAtMost(2L * rows, 0.01) // room to grow: memory is taken as it fills
            .concurrent() // for the threads of a server
            .build();
    try (ResultSet row = database.createStatement().executeQuery("SELECT email FROM account")) {
      while (row.next()) {
        filter.add(row.getString(1));
      }
    }
  }

  private boolean exists(String email) throws SQLException {
    return filter.mightContain(email) && isInTable(email);
  }

  private void insert(String email) throws SQLException {
    filter.add(email);
    update(insert, email);
    database.commit();
  }

  private void delete(String email) throws SQLException {
    boolean existed = update(delete, email);
    database.commit();
    if (existed) { // remove only what was added: the table knows
      filter.remove(email);
    }
  }

  private boolean isInTable(String email) throws SQLException {
    reads++;
    select.setString(1, email);
    try (ResultSet row = select.executeQuery()) {
      return row.next();
    }
  }

  private static boolean update(PreparedStatement statement, String email) throws SQLException {
    statement.setString(1, email);
    return statement.executeUpdate() == 1;
  }

  static void run(int rows, Path folder, Report report) throws SQLException {
    try (SparedDatabase accounts = new SparedDatabase(folder, rows)) {
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
    int found = 0;
    reads = 0;
    long start = System.nanoTime();
    for (String email : emails) {
      found += isInTable(email) ? 1 : 0;
    }
    report.timed("reads without a filter", reads, start);
    int foundWithFilter = 0;
    reads = 0;
    start = System.nanoTime();
    for (String email : emails) {
      foundWithFilter += exists(email) ? 1 : 0;
    }
    report.timed("reads with a filter", reads, start);
    report.line("reads spared", "%,d of %,d", rows - reads, rows - found);
    report.line("accounts not found", "%d", found - foundWithFilter);
    report.falsePositives("false positives", reads - found, rows - found, filter.expectedFpp());
    report.line("memory of the filter", "%,d kB", filter.memoryBytes() / 1000);
  }

  private void change(int rows, Report report) throws SQLException {
    int changes = rows / 100;
    for (int i = 0; i < changes; i++) {
      delete(email(i));
      insert(email(10 * rows + i));
    }
    int deleted = 0;
    for (int i = 0; i < changes; i++) {
      deleted += filter.mightContain(email(i)) ? 1 : 0;
    }
    report.line("deleted accounts still positive", "%,d of %,d", deleted, changes);
    int missed = 0;
    try (ResultSet row = database.createStatement().executeQuery("SELECT email FROM account")) {
      while (row.next()) {
        missed += filter.mightContain(row.getString(1)) ? 0 : 1;
      }
    }
    report.line("accounts not positive", "%d of %,d", missed, rows);
  }

  /** Stops between two steps, in the order of {@link #insert} and {@link #delete} and in others. */
  private void crash(Report report) throws SQLException {
    String ann = "ann@example.com";
    filter.add(ann);
    update(insert, ann);
    database.rollback();
    report.line("insertion stops before its commit", "%s", state(ann));
    insert("bob@example.com");
    update(delete, "bob@example.com");
    database.commit();
    report.line("deletion stops after its commit", "%s", state("bob@example.com"));
    update(insert, "carol@example.com");
    database.commit();
    report.line("wrong: commits, stops before add", "%s", state("carol@example.com"));
    insert("dan@example.com");
    filter.remove("dan@example.com");
    database.rollback();
    report.line("wrong: removes, stops before commit", "%s", state("dan@example.com"));
  }

  private String state(String email) throws SQLException {
    return "in the table: %s, found: %s".formatted(isInTable(email), exists(email));
  }

  private static String email(int user) {
    return "%08d@example.org".formatted(user);
  }

  @Override
  public void close() throws SQLException {
    database.close();
  }
}
