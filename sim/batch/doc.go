// Package batch runs a program with many seeds on all cores. What it returns does not
// depend on how many there are.
package batch
