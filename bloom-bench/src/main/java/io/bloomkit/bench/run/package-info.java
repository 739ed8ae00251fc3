/**
 * What is measured in one virtual machine, and how. Start at {@link io.bloomkit.bench.run.Duel} for
 * two filters side by side, at {@link io.bloomkit.bench.run.Life} for one alone. Leans on {@link
 * io.bloomkit.bench.subject}.
 */
@NullMarked
package io.bloomkit.bench.run;

import org.jspecify.annotations.NullMarked;
