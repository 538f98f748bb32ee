package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// places are the folders of one run, all below one scratch folder.
type places struct {
	Root, Home, Project, Run string
	tool                     *tool
	Asking                   string // what the CLI calls the permission mode that asks
}

// furnish makes the scratch home: onboarding done, the folder trusted unless the
// scenario says otherwise, no hook of ours.
func furnish(root, asking, api string, t *tool, s *scenario) (places, error) {
	p := places{tool: t, Asking: asking, Root: root, Home: filepath.Join(root, "home"), Project: filepath.Join(root, "home", "proj"), Run: filepath.Join(root, "run")}
	if err := os.MkdirAll(p.Project, 0o755); err != nil {
		return p, err
	}
	if err := os.Mkdir(p.Run, 0o700); err != nil {
		return p, err
	}
	return p, t.furnish(p, api, s)
}

// furnishClaude makes the home of Claude Code.
func furnishClaude(p places, _ string, s *scenario) error {
	if err := os.MkdirAll(filepath.Join(p.Home, ".claude"), 0o755); err != nil {
		return err
	}
	state := `{"hasCompletedOnboarding":true,"lastOnboardingVersion":"99.0.0","theme":"dark","numStartups":5,
 "customApiKeyResponses":{"approved":["mmy-key-for-loopback"],"rejected":[]}%s}` + "\n"
	trust := ""
	if s.Trusted {
		trust = fmt.Sprintf(`,
 "projects":{%q:{"hasTrustDialogAccepted":true,"hasCompletedProjectOnboarding":true,"projectOnboardingSeenCount":9}}`, p.Project)
	}
	if err := os.WriteFile(filepath.Join(p.Home, ".claude.json"), fmt.Appendf(nil, state, trust), 0o600); err != nil {
		return err
	}
	if s.Settings == "" {
		return nil
	}
	return os.WriteFile(filepath.Join(p.Home, ".claude", "settings.json"), []byte(s.Settings+"\n"), 0o644)
}

// cliEnv is all the CLI is told: a scratch home, a dummy key, the scripted API.
func (p places) cliEnv(api string) []string {
	return append([]string{
		"HOME=" + p.Home, "PATH=/usr/local/bin:/usr/bin:/bin", "TERM=xterm-256color", "LANG=C.UTF-8", "SHELL=/bin/bash",
		"XDG_RUNTIME_DIR=" + p.Run,
	}, p.tool.env(api)...)
}

// bellEnv is the environment of deskbell: the same home, a session bus, no display.
func (p places) bellEnv(bus string) []string {
	return []string{
		"HOME=" + p.Home, "PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", "SHELL=/bin/bash",
		"XDG_RUNTIME_DIR=" + p.Run, "DBUS_SESSION_BUS_ADDRESS=" + bus,
	}
}

// expand replaces the variables a step may use.
func (p places) expand(text, session string) string {
	return strings.NewReplacer("$DIR", p.Project, "$ASKING", p.Asking, "$HOME", p.Home, "$SESSION", session).Replace(text)
}
