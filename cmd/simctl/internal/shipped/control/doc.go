// Package control holds the test that runs every scenario without its cause. It has a
// package of its own because that takes as long as running every scenario.
package control
