package watch

// A watched folder costs about a kilobyte in the kernel. The system's own limit,
// often 8,192 for all programs of a user, may be lower and is coped with.
const maxFolders = 4096

// The folders of a log tree that are watched unasked: the newest few, and those
// changed recently.
const (
	newestFew = 256
	allRecent = true
)
