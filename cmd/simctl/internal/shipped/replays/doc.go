// Package replays holds the tests of the replay files that ship. They have a package of
// their own because they search, which takes as long as running every scenario.
package replays
