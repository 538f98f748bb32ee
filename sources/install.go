package sources

import "regexp"

// Density is how much of what a CLI's hooks can report is asked for.
type Density string

// The densities, each with the events of those before it.
const (
	Low    Density = "low"
	Medium Density = "medium"
	High   Density = "high"
)

// Install is how the settings of a CLI hold our hooks: what package hooks puts there.
type Install struct {
	// HomeEnv, Home and HomeIn are those of the CLI where its settings lie elsewhere than
	// its other files; "": they do not.
	HomeEnv, Home, HomeIn string
	// File is the settings file in that home.
	File string
	// Plugin is the file as a whole, which is ours then, with {{client}} and {{events}} in
	// place of those; "": our hooks are entries among others.
	Plugin string
	// Named: it is installed only when the user names it.
	Named bool
	// News is what the user is told beside the change, when something is installed.
	News string
	// Flat: an event has entries. Otherwise it has groups, and those have entries.
	Flat bool
	// Command is the member of an entry that holds the command, on Windows CommandWindows
	// if that is not empty; around it stand those before and those after it.
	Command, CommandWindows string
	Before, After           []Member
	// TellsEvent: the client is called with the event, because the payload does not tell.
	TellsEvent bool
	// Head is what a file needs besides hooks.
	Head []Member
	// Off is the member of the file that silences all hooks.
	Off string
	// Low are the events of the lowest density, Medium and High what those add to the ones
	// before. Of all of them some versions do not know the Late ones.
	Low, Medium, High, Late []string
	// Programs are places of its program below the user's home that may not be in PATH;
	// Sessions are files below its own home that are named after running ones.
	Programs []string
	Sessions string
	// List matches the list of all events in the program, from its first byte. nil: the
	// CLI does not mind unknown ones.
	List *regexp.Regexp
}

// Member is one member of a JSON object. Value is a string, a bool, an int, []Member (an
// object) or []any (an array).
type Member struct {
	Name  string
	Value any
}

// Members are the members of an object, from names and values in turn.
func Members(pairs ...any) (all []Member) {
	for i := 0; i+1 < len(pairs); i += 2 {
		all = append(all, Member{pairs[i].(string), pairs[i+1]})
	}
	return all
}
