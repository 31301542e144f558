package scenarios

// The replay files of all violations that the scenarios expect are beside them, in the
// folder replays: they are made small, and a test replays them.
//go:generate go run ../cmd/simctl/internal/shipped/record --into .

// The JSON Schema of the files, and the page of reference, are made of the types by which
// files are read and the comments on them.
//go:generate go run ./internal/describe
