// Package page shows a finished run: as one HTML file that needs nothing else, and as
// files that other tools read.
//
// [Collect] turns what the engine wrote down of a run into a [Run], and [Write] puts one or two
// of these into a page. The page's script and style are the files in web, plain and as they
// are edited; they are joined, and the page's policy allows them by their hashes and nothing else.
// What a file names comes into the page only as text.
package page
