module example.com/service

go 1.26

require fencepost v0.0.0

replace fencepost => ../fencepost
