package cli

import (
	"fmt"
	"strings"
)

// Configuration is the file with what you asked of deskbell.
type Configuration interface {
	Where() string   // the path of the file, which need not exist
	Sample() string  // a file with every key and its default
	Check() []string // what is wrong with the file, a line each
}

// Config is the command config, for [Env.More].
type Config struct {
	Config configCmd `cmd:"" help:"Print a configuration with every key and its default. Works without a running deskbell."`
}

type configCmd struct {
	open func() (Configuration, error)

	Path  bool `xor:"what" help:"Print where the configuration is, or would be."`
	Check bool `xor:"what" help:"Print what is wrong with the configuration. Exit status 1 if something is."`
}

// NewConfig returns the command config, for what open returns.
func NewConfig(open func() (Configuration, error)) *Config { return &Config{configCmd{open: open}} }

// Help is shown below the usage.
func (configCmd) Help() string {
	return "A running deskbell takes over at once what is saved to the file; with a mistake in it everything stays as it was."
}

// Run prints what is asked for.
func (c configCmd) Run(in Env) error {
	with, err := c.open()
	if err != nil {
		return err
	}
	switch {
	case c.Check:
		wrong := with.Check()
		if len(wrong) == 0 {
			return nil
		}
		if err := put(in.Stdout, []byte(strings.Join(wrong, "\n"))); err != nil {
			return err
		}
		return fmt.Errorf("nothing in %s holds until that is mended", with.Where())
	case c.Path:
		return put(in.Stdout, []byte(with.Where()))
	}
	return put(in.Stdout, []byte(with.Sample()))
}
