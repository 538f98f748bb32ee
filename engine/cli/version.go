package cli

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
)

type versionCmd struct{}

// Run prints what this program is.
func (versionCmd) Run(in Env) error {
	return put(in.Stdout, fmt.Appendf(nil, "deskbell %s (%s, %s/%s)", cmp.Or(in.Version, "unreleased"), runtime.Version(), runtime.GOOS, runtime.GOARCH))
}

// Version is that of the module, or of the checkout it was built from.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && info.Main.Version == "(devel)" {
			return s.Value[:min(len(s.Value), 12)]
		}
	}
	return info.Main.Version
}
