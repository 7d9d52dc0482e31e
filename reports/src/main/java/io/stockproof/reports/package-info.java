/** Run records: what a run of the command line found, as versioned JSON. */
@NullMarked
package io.stockproof.reports;

import org.jspecify.annotations.NullMarked;
