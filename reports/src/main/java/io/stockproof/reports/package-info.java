/** Run records and the command line. */
package io.stockproof.reports;
