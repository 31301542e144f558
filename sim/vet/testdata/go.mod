module example

go 1.26
