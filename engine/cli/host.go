package cli

// Host is the command host, for [Env.More].
type Host struct {
	Host hostCmd `cmd:"" help:"Run your shell, or a command, in a terminal that deskbell hosts. Works without a running deskbell."`
}

// Hosting is what is to be hosted.
type Hosting struct {
	Terminal string   `hidden:""`
	Dir      string   `placeholder:"DIR" help:"Where it begins; without it here."`
	Stay     bool     `help:"When the command has ended, your shell goes on in its place."`
	Command  []string `arg:"" optional:"" passthrough:"partial" help:"What to run, with its arguments; without it your shell."`
}

type hostCmd struct {
	Hosting
	run func(Hosting) (status int, err error)
}

// NewHost returns the command host. run carries it out and returns the exit status.
func NewHost(run func(Hosting) (status int, err error)) *Host { return &Host{hostCmd{run: run}} }

// Help is shown below the usage.
func (hostCmd) Help() string {
	return "All is as without it, to the last byte, and the exit status is that of the command. deskbell is told what the title says, when something is printed or typed, and which session runs there, and can type into it. Without a running deskbell, or when that is started again, the terminal goes on. `deskbell host claude`"
}

// Run hosts a terminal until what runs in it ends.
func (h hostCmd) Run(Env) error {
	if len(h.Command) > 0 && h.Command[0] == "--" {
		h.Command = h.Command[1:]
	}
	status, err := h.run(h.Hosting)
	if err == nil && status == ok {
		return nil
	}
	return exit{status, err}
}

// exit is an exit status of its own, with what is to be said; nil: nothing.
type exit struct {
	status int
	error
}
