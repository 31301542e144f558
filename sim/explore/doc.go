// Package explore searches for a run that violates a property, and makes what it finds
// smaller.
//
// [Find] draws faults at random, or tries every schedule within a budget. [Shrink] leaves
// out what a failure does not need. A schedule is a value that can be written down and read
// back. What a search returns does not depend on how many worlds it uses at the same time.
package explore
