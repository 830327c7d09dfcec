select {none}
