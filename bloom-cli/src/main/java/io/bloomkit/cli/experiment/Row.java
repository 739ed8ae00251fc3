package io.bloomkit.cli.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What an experiment found for one filter: a row of its tables and an object of its JSON. */
public final class Row {
  private final String filter;
  private final Map<String, @Nullable Object> members = new LinkedHashMap<>();
  private final Map<String, Rate> rates = new LinkedHashMap<>();
  private final List<String> notes = new ArrayList<>();
  private final List<Point> predicted = new ArrayList<>();
  private final List<Point> measured = new ArrayList<>();

  /** A point of a curve: the rate after a number of elements, or at a time. */
  public record Point(double x, double rate) {}

  public Row(String filter) {
    this.filter = filter;
    put("filter", filter);
  }

  public String filter() {
    return filter;
  }

  /** Adds a member of the JSON object. */
  public void put(String name, @Nullable Object value) {
    members.put(name, value);
  }

  /**
   * Adds a rate, with its interval and its formula. Their members are null without queries.
   *
   * @param quantity the end of the members' names, such as {@code Fpp}
   */
  public void putRate(String quantity, Rate rate) {
    rates.put(quantity, rate);
    boolean none = rate.queries() == 0;
    put("measured" + quantity, none ? null : rate.measured());
    put("measured" + quantity + "Low", none ? null : rate.interval().lower());
    put("measured" + quantity + "High", none ? null : rate.interval().upper());
    put("expected" + quantity, none ? null : rate.expected());
    put("expected" + quantity + "InInterval", none ? null : rate.isAsExpected());
  }

  /** Returns whether there are members of a rate. */
  public boolean hasRate(String quantity) {
    return rates.containsKey(quantity);
  }

  /** Returns a rate that was added. */
  public Rate rate(String quantity) {
    return Objects.requireNonNull(rates.get(quantity), quantity);
  }

  /** Returns a member that is a number. */
  public Number number(String name) {
    return (Number) Objects.requireNonNull(members.get(name), name);
  }

  /** Returns the members in the order of their addition. */
  public Map<String, @Nullable Object> members() {
    return members;
  }

  /** Adds what the tables do not say, as a sentence without its full stop. */
  public void note(String note) {
    notes.add(note);
  }

  List<String> notes() {
    return notes;
  }

  /** Adds a point to the curve of the formula. */
  public void predict(double x, double rate) {
    predicted.add(new Point(x, rate));
  }

  /**
   * Adds a point to the curve of what was measured, unless so few were positive that its standard
   * error would exceed a third.
   */
  public void measure(double x, Rate rate) {
    if (rate.positives() >= RatePlot.MIN_POSITIVES) {
      measured.add(new Point(x, rate.measured()));
    }
  }

  /** Returns the curve of the formula. */
  public List<Point> predicted() {
    return predicted;
  }

  /** Returns the curve of what was measured. */
  public List<Point> measured() {
    return measured;
  }
}
