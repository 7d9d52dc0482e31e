/**
 * The command line. To add a command: write a class beside {@link
 * io.stockproof.reports.cli.VerifyCommand} and name it in {@link
 * io.stockproof.reports.cli.StockproofCommand}.
 */
@NullMarked
package io.stockproof.reports.cli;

import org.jspecify.annotations.NullMarked;
