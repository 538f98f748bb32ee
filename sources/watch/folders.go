package watch

// Folders is a [Watcher] for who only wants to know that something happened in some
// folders, and looks for himself.
type Folders struct{ *Watcher }

// NewFolders returns one that watches nothing yet.
func NewFolders() Folders { return Folders{NewWatcher()} }

// Want watches a folder from now on, those too that do not exist yet.
func (f Folders) Want(dir string) error {
	f.Watcher.Want(dir, Forever)
	if n, _, why := f.Unwatched(); n > 0 {
		return why
	}
	return nil
}

// Take takes note of what happened.
func (f Folders) Take() { _, _, _ = f.Watcher.Take() } // what was lost is seen by looking, too
