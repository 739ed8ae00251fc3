package io.bloomkit.examples;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * The table of {@link SparedDatabase} in an H2 database on disk. It contains the SQL that an
 * application needs with or without a filter.
 */
final class AccountTable implements AutoCloseable {

  private final Connection database;
  private int reads;

  /** Creates the table with the addresses of users 0 to {@code users} − 1. */
  AccountTable(Path folder, int users) throws SQLException {
    database = DriverManager.getConnection("jdbc:h2:" + folder.resolve("accounts").toUri());
    database.setAutoCommit(false);
    try (Statement statement = database.createStatement()) {
      statement.execute(
          "CREATE TABLE account (email VARCHAR PRIMARY KEY) AS SELECT LPAD(x, 8, '0') ||"
              + (" '@example.org' FROM SYSTEM_RANGE(0, " + (users - 1) + ")"));
    }
  }

  /** Returns the address of a user. */
  static String email(int user) {
    return "%08d@example.org".formatted(user);
  }

  boolean contains(String email) throws SQLException {
    reads++;
    return execute("SELECT email FROM account WHERE email = ?", email);
  }

  /** Returns the number of calls of {@link #contains}. */
  int reads() {
    return reads;
  }

  void insert(String email) throws SQLException {
    execute("INSERT INTO account (email) VALUES (?)", email);
  }

  /** Deletes a row and returns whether it existed. */
  boolean delete(String email) throws SQLException {
    return execute("DELETE FROM account WHERE email = ?", email);
  }

  void commit() throws SQLException {
    database.commit();
  }

  void rollback() throws SQLException {
    database.rollback();
  }

  /** Returns the addresses of all rows. */
  List<String> emails() throws SQLException {
    List<String> emails = new ArrayList<>();
    try (Statement statement = database.createStatement();
        ResultSet row = statement.executeQuery("SELECT email FROM account")) {
      while (row.next()) {
        emails.add(row.getString(1));
      }
    }
    return emails;
  }

  @Override
  public void close() throws SQLException {
    database.close();
  }

  /** Executes a statement and returns whether it found or changed a row. */
  private boolean execute(String sql, String email) throws SQLException {
    try (PreparedStatement statement = database.prepareStatement(sql)) {
      statement.setString(1, email);
      return statement.execute() ? statement.getResultSet().next() : statement.getUpdateCount() > 0;
    }
  }
}
