package hooks

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// plan carries out a plan for OpenCode, and returns what it showed.
func (d *house) plan(density string, install bool) string {
	d.Helper()
	text, apply, err := d.Plan("opencode", density, install)
	if err != nil {
		d.Fatal(err)
	}
	if apply != nil {
		if _, err := apply(); err != nil {
			d.Fatal(err)
		}
	}
	return text
}

func (d *house) plugin() Report {
	d.Helper()
	all, err := d.SettingsHooks("opencode", "")
	if err != nil || len(all) != 1 {
		d.Fatal(all, err)
	}
	return all[0]
}

// TestPlugin installs the plugin of OpenCode, changes its density, and removes it: nothing
// else is touched.
func TestPlugin(t *testing.T) {
	d := newHouse(t, `home "of" \one`)
	d.write(filepath.Join(d.Home, ".config", "opencode", "opencode.json"), "{}", 0o600)
	before := d.files()
	path := filepath.Join(d.Home, ".config", "opencode", "plugin", "deskbell.js")
	if r := d.plugin(); r.Healthy() || r.Path != path {
		t.Errorf("before: %s", r)
	}
	text, _, err := d.Plan("opencode", "", true)
	if err != nil || !strings.Contains(text, "+// deskbell hooks:") || !strings.Contains(text, "OpenCode reads it when it is started") || d.files() != before {
		t.Errorf("shows %v\n%s", err, text)
	}
	for _, test := range []struct {
		density, is string
		events      int
	}{{"", "medium", 12}, {"low", "low", 9}, {"", "low", 9}, {"high", "medium", 12}} {
		d.plan(test.density, true)
		r := d.plugin()
		if !r.Healthy() || string(r.Density) != test.is || len(r.Events) != test.events {
			t.Errorf("density %q: %s", test.density, r)
		}
		if text, apply, err := d.Plan("opencode", "", true); apply != nil || err != nil {
			t.Errorf("density %q, once more: %v\n%s", test.density, err, text)
		}
	}
	if p, ours := targetOf("opencode").pluginIn([]byte(d.read(path))); !ours || p.client != d.client() {
		t.Errorf("it calls %q, want %q", p.client, d.client())
	}
	d.write(path, strings.Replace(d.read(path), "stdio", "stdoi", 1), 0o600)
	if r := d.plugin(); r.Healthy() || !strings.Contains(r.String(), "another version, or was changed") {
		t.Errorf("changed: %s", r)
	}
	d.plan("", true)
	if r := d.plugin(); !r.Healthy() {
		t.Errorf("mended: %s", r)
	}
	os.Remove(d.client())
	if r := d.plugin(); r.Healthy() || !strings.Contains(r.String(), "the client is gone") {
		t.Errorf("without a client: %s", r)
	}
	if text := d.plan("", false); !strings.Contains(text, "-// deskbell hooks:") {
		t.Errorf("removing it shows\n%s", text)
	}
	if after := d.files(); after != before {
		t.Errorf("got\n%s\nwant\n%s", after, before)
	}
	if _, err := os.Stat(filepath.Dir(path)); err == nil {
		t.Error("its folder is still there")
	}
	if text, apply, err := d.Plan("opencode", "", false); apply != nil || err != nil {
		t.Errorf("removed twice: %v\n%s", err, text)
	}
	if text, _, err := d.Plan("", "", true); err != nil || strings.Contains(text, "opencode") {
		t.Errorf("without being named: %v\n%s", err, text)
	}
}

// TestForeignPlugin checks that a file of that name which is not ours stays as it is.
func TestForeignPlugin(t *testing.T) {
	d := newHouse(t, "home")
	d.env["XDG_CONFIG_HOME"] = filepath.Join(d.Home, "elsewhere")
	dir := filepath.Join(d.Home, "elsewhere", "opencode", "plugin")
	d.write(filepath.Join(dir, "deskbell.js"), "export const Mine = 1\n", 0o640)
	d.write(filepath.Join(dir, "other.js"), "export const Other = 1\n", 0o640)
	before := d.files()
	if _, _, err := d.Plan("opencode", "", true); err == nil || !strings.Contains(err.Error(), "it is not deskbell's") {
		t.Errorf("got %v", err)
	}
	if text, apply, err := d.Plan("opencode", "", false); apply != nil || err != nil {
		t.Errorf("removing it: %v\n%s", err, text)
	}
	if r := d.plugin(); r.Healthy() || !strings.Contains(r.String(), "it is not deskbell's") {
		t.Errorf("status: %s", r)
	}
	os.Remove(filepath.Join(dir, "deskbell.js"))
	d.plan("", true)
	d.plan("", false)
	d.write(filepath.Join(dir, "deskbell.js"), "export const Mine = 1\n", 0o640)
	if after := d.files(); after != before {
		t.Errorf("got\n%s\nwant\n%s", after, before)
	}
}

// bus is what OpenCode 1.18.33 puts on its bus, shortened, and what the client is told of
// it, "" for nothing.
var bus = []struct{ event, want string }{
	{`{"type":"session.created","properties":{"sessionID":"ses_1","info":{"id":"ses_1","directory":"/w/app"}}}`,
		`{"sessionID":"ses_1","directory":"/w/app","hook_event_name":"session.created"}`},
	{`{"type":"message.updated","properties":{"info":{"id":"msg_1","role":"user","sessionID":"ses_1","time":{"created":5}}}}`, ``},
	{`{"type":"message.part.updated","properties":{"part":{"type":"text","text":"secret","sessionID":"ses_1","messageID":"msg_1"}}}`,
		`{"sessionID":"ses_1","queued":false,"time":5,"directory":"/w","hook_event_name":"prompt"}`},
	{`{"type":"message.part.updated","properties":{"part":{"type":"file","sessionID":"ses_1","messageID":"msg_1"}}}`, ``},
	{`{"type":"message.updated","properties":{"info":{"id":"msg_1","role":"user","sessionID":"ses_1","time":{"created":5},"summary":{"diffs":[]}}}}`, ``},
	{`{"type":"session.status","properties":{"sessionID":"ses_1","status":{"type":"busy"}}}`, `{"sessionID":"ses_1","status":"busy","directory":"/w","hook_event_name":"session.status"}`},
	{`{"type":"session.status","properties":{"sessionID":"ses_1","status":{"type":"retry","attempt":1}}}`, ``},
	{`{"type":"message.updated","properties":{"info":{"id":"msg_2","role":"assistant","sessionID":"ses_1","time":{"created":6}}}}`, ``},
	{`{"type":"message.updated","properties":{"info":{"id":"msg_3","role":"user","sessionID":"ses_1","time":{"created":7}}}}`, ``},
	{`{"type":"message.part.updated","properties":{"part":{"type":"text","text":"secret","sessionID":"ses_1","messageID":"msg_3"}}}`,
		`{"sessionID":"ses_1","queued":true,"time":7,"directory":"/w","hook_event_name":"prompt"}`},
	{`{"type":"message.updated","properties":{"info":{"id":"msg_4","role":"user","sessionID":"ses_1","time":{"created":8}}}}`, ``},
	{`{"type":"message.part.updated","properties":{"part":{"type":"text","text":"go on","synthetic":true,"sessionID":"ses_1","messageID":"msg_4"}}}`, ``},
	{`{"type":"message.part.updated","properties":{"part":{"type":"text","text":"secret","sessionID":"ses_1"}}}`, ``},
	{`{"type":"message.part.updated","properties":{"part":{"type":"tool","tool":"bash","callID":"c1","sessionID":"ses_1","state":{"status":"pending","input":{}}}}}`, ``},
	{`{"type":"message.part.updated","properties":{"part":{"type":"tool","tool":"bash","callID":"c1","sessionID":"ses_1","state":{"status":"running","input":{"command":"ls","timeout":7}}}}}`,
		`{"sessionID":"ses_1","callID":"c1","tool":"bash","status":"running","input":{"command":"ls"},"directory":"/w","hook_event_name":"tool"}`},
	{`{"type":"message.part.updated","properties":{"part":{"type":"tool","tool":"bash","callID":"c1","sessionID":"ses_1","state":{"status":"running","input":{"command":"ls"},"metadata":{"output":"secret"}}}}}`, ``},
	{`{"type":"permission.asked","properties":{"id":"per_1","sessionID":"ses_1","permission":"bash","patterns":["ls","x"],"tool":{"messageID":"m","callID":"c1"}}}`,
		`{"sessionID":"ses_1","id":"per_1","callID":"c1","permission":"bash","patterns":["ls"],"directory":"/w","hook_event_name":"permission.asked"}`},
	{`{"type":"permission.replied","properties":{"sessionID":"ses_1","requestID":"per_1","reply":"once"}}`,
		`{"sessionID":"ses_1","id":"per_1","callID":"c1","reply":"once","directory":"/w","hook_event_name":"permission.replied"}`},
	{`{"type":"session.created","properties":{"sessionID":"ses_2","info":{"id":"ses_2","parentID":"ses_1","directory":"/w/app"}}}`,
		`{"sessionID":"ses_1","directory":"/w/app","agentID":"ses_2","hook_event_name":"session.created"}`},
	{`{"type":"question.asked","properties":{"id":"que_1","sessionID":"ses_2","questions":[{"question":"Which?","options":[]}]}}`,
		`{"sessionID":"ses_1","id":"que_1","questions":[{"question":"Which?"}],"agentID":"ses_2","directory":"/w","hook_event_name":"question.asked"}`},
	{`{"type":"question.rejected","properties":{"sessionID":"ses_2","requestID":"que_1"}}`, `{"sessionID":"ses_1","id":"que_1","reply":"reject","agentID":"ses_2","directory":"/w","hook_event_name":"question.rejected"}`},
	{`{"type":"session.error","properties":{"sessionID":"ses_1","error":{"name":"APIError","data":{"message":"secret","statusCode":429}}}}`,
		`{"sessionID":"ses_1","error":{"name":"APIError","data":{"statusCode":429}},"directory":"/w","hook_event_name":"session.error"}`},
	{`{"type":"session.error","properties":{}}`, ``},
	{`{"type":"session.status","properties":{"sessionID":"ses_1","status":{"type":"idle"}}}`, `{"sessionID":"ses_1","status":"idle","directory":"/w","hook_event_name":"session.status"}`},
	{`{"type":"message.updated","properties":{"info":{"id":"msg_5","role":"user","sessionID":"ses_1","time":{"created":9}}}}`, ``},
	{`{"type":"message.part.updated","properties":{"part":{"type":"compaction","auto":false,"sessionID":"ses_1","messageID":"msg_5"}}}`,
		`{"sessionID":"ses_1","time":9,"directory":"/w","hook_event_name":"compacting"}`},
	{`{"type":"session.status","properties":{"sessionID":"ses_1","status":{"type":"busy"}}}`, `{"sessionID":"ses_1","status":"busy","directory":"/w","hook_event_name":"session.status"}`},
	{`{"type":"session.compacted","properties":{"sessionID":"ses_1"}}`, `{"sessionID":"ses_1","directory":"/w","hook_event_name":"session.compacted"}`},
	{`{"type":"session.status","properties":{"sessionID":"ses_1","status":{"type":"idle"}}}`, `{"sessionID":"ses_1","status":"summed","directory":"/w","hook_event_name":"session.status"}`},
	{`{"type":"message.part.delta","properties":{"delta":"secret"}}`, ``},
	{`{"type":"session.status"}`, ``},
}

// driver runs the plugin in a worker, as OpenCode does in a terminal, and in the main
// thread, as it does in scripted runs.
const driver = `
import { Worker, isMainThread, workerData } from "node:worker_threads"
import { Deskbell } from "./deskbell.mjs"
const hooks = await Deskbell({ directory: "/w" })
if (isMainThread) {
  if (hooks.event) throw new Error("it listens in the main thread")
  new Worker(new URL(import.meta.url), { workerData: process.argv[2] })
} else {
  for (const event of JSON.parse(workerData)) {
    await hooks.event({ event })
    await new Promise((done) => setTimeout(done, 60))
  }
}
`

// TestPluginTells runs the plugin, and checks what it calls the client with: nothing but
// what is needed, and no text of the conversation.
func TestPluginTells(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("there is no node, or no sh")
	}
	dir := t.TempDir()
	client, out := filepath.Join(dir, "client"), filepath.Join(dir, "out")
	text, err := targetOf("opencode").pluginOf(client, targetOf("opencode").at(High))
	if err != nil {
		t.Fatal(err)
	}
	var events []string
	var want []string
	for _, b := range bus {
		events = append(events, b.event)
		if b.want != "" {
			want = append(want, sorted(t, b.want))
		}
	}
	for name, text := range map[string]string{
		"client": "#!/bin/sh\n[ \"$*\" = opencode ] && { cat; echo; } >'" + out + "'.$$\n", "deskbell.mjs": string(text), "driver.mjs": driver,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	run := exec.Command(node, filepath.Join(dir, "driver.mjs"), "["+strings.Join(events, ",")+"]")
	if said, err := run.CombinedOutput(); err != nil || len(bytes.TrimSpace(said)) > 0 {
		t.Fatalf("%v: %s", err, said)
	}
	told, err := filepath.Glob(out + ".*") // each client tells for itself: they run at once
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, file := range told {
		line, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, clock.ReplaceAllString(sorted(t, string(line)), ""))
	}
	slices.Sort(got)
	slices.Sort(want)
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("got\n%s\nwant\n%s", g, w)
	}
}

// clock is the time of an event in an answer, where it is that of its telling.
var clock = regexp.MustCompile(`,"time":\d{13}`)

// sorted is JSON with its names in order.
func sorted(t *testing.T, text string) string {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
