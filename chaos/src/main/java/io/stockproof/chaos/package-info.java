/** Faults on real servers and processes. Empty until the chaos issue fills it. */
package io.stockproof.chaos;
