package io.bloomkit.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Outcome;

/**
 * The outcomes of a race of two threads: each says whether all its answers were right, and the
 * arbiter says whether the final state is that of a sequential order.
 */
@Outcome(id = "true, true, true", expect = ACCEPTABLE, desc = "as in a sequential order")
@Outcome(
    id = ".*, false",
    expect = FORBIDDEN,
    desc = "the state is not that of any sequential order")
@Outcome(expect = FORBIDDEN, desc = "a wrong answer: a false negative, or a lost update")
final class SequentialOutcomes {

  private SequentialOutcomes() {}
}
