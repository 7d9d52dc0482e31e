/** The command line, executed with its output captured. */
@NullMarked
package io.stockproof.reports.cli;

import org.jspecify.annotations.NullMarked;
