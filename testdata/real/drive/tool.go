package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"time"
)

// tool is what differs between the CLIs that are driven.
type tool struct {
	name     string
	ready    *regexp.Regexp // a screen that takes a prompt, or asks whether it may begin
	asks     string         // a screen that asks it
	deaf     time.Duration  // how long it drops keys after it shows a prompt
	burst    time.Duration  // how long after a text Enter is not taken for a part of it
	sessions bool           // it keeps a session file from its start
	settings string         // the file hooks are installed in, below the home
	bin      string         // where the installer looks for the CLI, below the home
	// furnish makes the scratch home.
	furnish func(p places, api string, s *scenario) error
	// env is all the CLI is told beside its home; trust are arguments with which it trusts
	// the hooks in its settings.
	env   func(api string) []string
	trust []string
}

var tools = map[string]*tool{
	"claude": {
		name: "claude", ready: regexp.MustCompile(`❯|trust this folder`), asks: "trust this folder", sessions: true, deaf: 1200 * time.Millisecond, burst: 250 * time.Millisecond,
		settings: ".claude/settings.json", bin: ".local/bin/claude", furnish: furnishClaude,
		env: func(api string) []string {
			return []string{"ANTHROPIC_BASE_URL=http://" + api, "ANTHROPIC_API_KEY=dummy-key-for-loopback", "DISABLE_AUTOUPDATER=1"}
		},
	},
	"codex": {
		name: "codex", deaf: 5 * time.Second, burst: 800 * time.Millisecond, ready: regexp.MustCompile(`› .*`), settings: ".codex/hooks.json", bin: ".local/bin/codex", furnish: furnishCodex,
		env:   func(string) []string { return []string{"REAL_KEY=dummy-key-for-loopback"} },
		trust: []string{"--dangerously-bypass-hook-trust"},
	},
}

// furnishCodex makes a home in which everything is decided.
func furnishCodex(p places, api string, _ *scenario) error {
	dir := filepath.Join(p.Home, ".codex")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	text := fmt.Sprintf(`model = "scripted"
model_provider = "real"
approval_policy = "on-request"
sandbox_mode = "workspace-write"
check_for_update_on_startup = false

[model_providers.real]
name = "real"
wire_api = "responses"
env_key = "REAL_KEY"
base_url = "http://%s/v1"
request_max_retries = 0
stream_max_retries = 0

[analytics]
enabled = false

[projects.%q]
trust_level = "trusted"
`, api, p.Project)
	return os.WriteFile(filepath.Join(dir, "config.toml"), []byte(text), 0o600)
}
