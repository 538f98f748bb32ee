package live

import "os"

// base is where programs keep what they want to find again.
func base() (string, error) { return os.UserConfigDir() } // ~/Library/Application Support
