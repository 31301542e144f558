package globals

func set() { byTest = 3 }
