/**
 * Races on the concurrent filters, run by jcstress: {@code mvn -q -Pstress -DskipTests package &&
 * java -jar bloom-stress/target/stress.jar}, a second each. {@code broken} races filters with a
 * mistake each, which must be caught. Other options are those of jcstress; after a change to these
 * filters, {@code ours -m quick -sc false -pth false -time 2000}.
 */
@NullMarked
package io.bloomkit.stress;

import org.jspecify.annotations.NullMarked;
