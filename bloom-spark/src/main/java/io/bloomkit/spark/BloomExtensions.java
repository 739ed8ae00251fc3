package io.bloomkit.spark;

import org.apache.spark.sql.SparkSessionExtensions;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/**
 * Adds the SQL functions of {@link BloomFunctions} to every session of an application. Start the
 * application with the option {@code --conf
 * spark.sql.extensions=io.bloomkit.spark.BloomExtensions}.
 */
public final class BloomExtensions extends AbstractFunction1<SparkSessionExtensions, BoxedUnit> {

  /** Creates the extensions. Called by Spark. */
  public BloomExtensions() {}

  /** Adds the functions to the extensions of a session. Called by Spark. */
  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    BloomFunctions.inject(extensions);
    return BoxedUnit.UNIT;
  }
}
