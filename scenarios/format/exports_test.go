package format

// SplitOutside is for tests of another package.
var SplitOutside = splitOutside
