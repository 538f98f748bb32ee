package engine

import "time"

// Stamp is when something was last seen, and by whom. The zero Stamp is never.
type Stamp struct {
	At time.Time
	By Witness
}

// Facts is everything known about one session.
type Facts struct{}

func (e Opened) record(f *Facts, s Stamp)     {}
func (e Started) record(f *Facts, s Stamp)    {}
func (e Described) record(f *Facts, s Stamp)  {}
func (e Trusting) record(f *Facts, s Stamp)   {}
func (e Prompted) record(f *Facts, s Stamp)   {}
func (e CallOpened) record(f *Facts, s Stamp) {}
func (e CallClosed) record(f *Facts, s Stamp) {}
func (e Replied) record(f *Facts, s Stamp)    {}
func (e Finished) record(f *Facts, s Stamp)   {}
func (e Compacting) record(f *Facts, s Stamp) {}
func (e Wrote) record(f *Facts, s Stamp)      {}
func (e Drew) record(f *Facts, s Stamp)       {}
func (e AgentRan) record(f *Facts, s Stamp)   {}
func (e TaskRan) record(f *Facts, s Stamp)    {}
func (e Listed) record(f *Facts, s Stamp)     {}
func (e Alive) record(f *Facts, s Stamp)      {}
func (e Table) record(f *Facts, s Stamp)      {}
func (e Answering) record(f *Facts, s Stamp)  {}
func (e Seen) record(f *Facts, s Stamp)       {}
