package watch

// kqueue holds a file descriptor for each watched folder and for each file in it.
const maxFolders = 64

// The folders of a log tree that are watched unasked: the newest few. Beyond them
// only the folders of live sessions are.
const (
	newestFew = 3
	allRecent = false
)
