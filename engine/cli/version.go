package cli

import (
	"cmp"
	"fmt"
	"runtime"
)

type versionCmd struct{}

// Run prints what this program is.
func (versionCmd) Run(in Env) error {
	return put(in.Stdout, fmt.Appendf(nil, "deskbell %s (%s, %s/%s)", cmp.Or(in.Version, "unreleased"), runtime.Version(), runtime.GOOS, runtime.GOARCH))
}
