/**
 * The systems under verification that come with Stockproof, each in one class that reads like its
 * description.
 */
@NullMarked
package io.stockproof.verification.subjects;

import org.jspecify.annotations.NullMarked;
