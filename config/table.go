package config

import (
	"strconv"
	"strings"
	"time"

	"deskbell/engine"
)

// section is a part of the file.
type section struct {
	name string // "tools" has a part of its own for each CLI, "rules" may come many times
	says string // what it is about
	keys []key
}

// key is a row of the table.
type key struct {
	name  string
	also  string // another name of it
	value string // the default, as it is written in the file; "": see the section
	model string // an example for the sample, where the default shows nothing
	says  string // a comment of the sample
	late  bool   // read at the start only
	take  taker
}

// Many and several sections are read in their own way.
const (
	tools = "tools"
	rules = "rules"
)

// Words of the file.
var (
	detailWords = word{"full", "tool", "none"}
	kindWords   = words{"approval", "input", "waiting", "trouble"}
)

const day = 24 * time.Hour

// table is the whole configuration. A new key is a row here and a field of [Config].
var table = []section{
	{name: "limits", says: "How long what may last. Statuses change by these; `deskbell rules` shows which by what.", keys: []key{
		limit(engine.Fast, "a tool call that takes no time (reading, editing) may be silent until it is taken to wait for your yes"),
		limit(engine.Medium, "... one that goes to the network"),
		limit(engine.Slow, "... one that may run for minutes and has started no process"),
		limit(engine.Answer, "... one that is a question to you"),
		limit(engine.Forgotten, "... one that only the transcript tells of"),
		limit(engine.Fresh, "a write to its transcript counts as work"),
		limit(engine.Prompt, "a prompt may take to run"),
		limit(engine.Rest, "a finished turn wants you; 0: until you have seen it"),
		limit(engine.Guess, "a guessed dialog is believed"),
		limit(engine.Lost, "a turn that says nothing is believed to go on"),
		limit(engine.Recheck, "between two looks whether a silent command still runs"),
		limit(engine.Relook, "between two looks whether a call was allowed"),
		limit(engine.Blink, "a listing may say busy for what is no turn"),
		limit(engine.Flicker, "a listing may say idle between two turns without a break"),
		limit(engine.Unproven, "a transcript may lag behind the listing"),
		limit(engine.Still, "a title that moved has to be still to be believed"),
		limit(engine.Undrawn, "a terminal may print nothing while a tool call runs in it"),
		limit(engine.Connect, "a CLI may take to report in"),
		limit(engine.ConnectOther, "... one that says little of itself"),
		limit(engine.Startup, "between two looks at a CLI that starts"),
		limit(engine.Enlist, "a teammate may take to start"),
		limit(engine.Disband, "a team is kept when all its members have ended"),
		limit(engine.Kept, "an ended session is remembered"),
		limit(engine.Scan, "between two looks at all processes, while not at rest"),
		limit(engine.ProcessCheck, "between two looks at each process, where its end is not noticed by itself"),
		limit(engine.Walk, "between two looks at all files, while not at rest"),
		limit(engine.Weigh, "between two looks at what processes take, while not at rest, and between two changes of it"),
	}},
	{name: "notify", says: "Who may ring, and how.", keys: []key{
		{name: "kinds", value: `["approval", "input", "waiting", "trouble"]`,
			says: "what is told: a tool call wants your yes, it asks you something, its turn is over, its turn has failed",
			take: to(kindWords, func(c *Config) *[]string { return &c.Notify.Kinds })},
		{name: "guesses", value: `"last-resort"`,
			says: "whether a guess (with a question mark) rings: only where the session reports no dialogs itself, or always",
			take: to(word{"last-resort", "always"}, func(c *Config) *string { return &c.Notify.Guesses })},
		{name: "machine_turns", value: "false", says: "tell each end of a turn, not one for each prompt of yours",
			take: to(yes{}, func(c *Config) *bool { return &c.Notify.MachineTurns })},
		{name: "min_turn", value: `"0s"`, says: "tell the end of turns that took at least so long",
			take: to(duration{most: day}, func(c *Config) *time.Duration { return &c.Notify.MinTurn })},
		{name: "details", value: `"full"`, says: "what a notice shows: what is asked in full, only the tool, or nothing of it",
			take: to(detailWords, func(c *Config) *string { return &c.Notify.Details })},
		{name: "sound", value: "true", says: "a soft bell for what wants your yes or an answer",
			take: to(yes{}, func(c *Config) *bool { return &c.Notify.Sound })},
		{name: "remind", value: `"2m"`, says: "sessions that are set to alert ring again so often until answered; 0: never",
			take: to(duration{zero: true, least: 10 * time.Second, most: day}, func(c *Config) *time.Duration { return &c.Notify.Remind })},
		{name: "remind_most", value: "5", says: "... but no more than so many times",
			take: to(number{0, 100}, func(c *Config) *int { return &c.Notify.RemindMost })},
		{name: "quiet", value: "[]", model: `["mon-fri 22:00-07:00", "sat,sun 23:00-09:30"]`,
			says: "when only sessions that are set to alert ring, by the days on which it begins or every day",
			take: to(hours{}, func(c *Config) *[]Quiet { return &c.Notify.Quiet })},
		{name: "command", value: "[]", model: `["ntfy-send", "--topic", "agents"]`,
			says: "a program, and its arguments, that is given each notice as JSON on its standard input",
			take: to(argv{}, func(c *Config) *[]string { return &c.Notify.Command })},
	}},
	{name: "tray", keys: []key{
		{name: "left_click", value: `"menu"`, late: true, says: "what a left click does: show the menu, or go to the next session that needs you",
			take: to(word{"menu", "next"}, func(c *Config) *string { return &c.Tray.LeftClick })},
	}},
	{name: "terminal", says: "The terminal in which sessions are opened.", keys: []key{
		{name: "command", value: "[]", model: `["kitty", "-1"]`, says: "the program, and its options; the rest is put behind. Without it $TERMINAL, or that of your desktop",
			take: to(argv{}, func(c *Config) *[]string { return &c.Terminal.Command })},
	}},
	{name: tools, keys: []key{
		{name: "enabled", value: "true", late: true, says: "watch its sessions",
			take: to(yes{}, func(t *Tool) *bool { return &t.Enabled })},
		{name: "home", value: `""`, model: `"~/work/.%s"`, says: "one more folder it keeps its files in, beside the default one and that of the environment",
			take: to(folder{}, func(t *Tool) *string { return &t.Home })},
		{name: "command", value: "[]", model: `["/opt/bin/%s"]`, says: "what starts it; without it its name",
			take: to(argv{}, func(t *Tool) *[]string { return &t.Command })},
	}},
	{name: rules, says: "Rules for folders, as many as you like. The first one whose dir fits a session's folder applies to it, and no other; what it leaves out is as in [notify].", keys: []key{
		{name: "dir", model: `"~/code/*-infra"`, says: "a folder and all below it; * stands for any part of one name",
			take: to(pattern{}, func(r *Rule) *Dir { return &r.Dir })},
		{name: "mute", model: "false", says: "nothing rings",
			take: to(yes{}, func(r *Rule) *bool { return &r.Mute })},
		{name: "alert", model: "true", says: "everything rings with a sound, is repeated, and breaks through quiet hours",
			take: to(yes{}, func(r *Rule) *bool { return &r.Alert })},
		{name: "kinds", model: `["approval", "input"]`, says: "what is told",
			take: to(kindWords, func(r *Rule) *[]string { return &r.Kinds })},
		{name: "min_turn", model: `"1m"`, says: "tell the end of turns that took at least so long",
			take: to(duration{most: day}, func(r *Rule) *time.Duration { return &r.MinTurn })},
		{name: "details", model: `"tool"`, says: "what a notice shows",
			take: to(detailWords, func(r *Rule) *string { return &r.Details })},
	}},
}

// bounds are the limits that do not go from a millisecond to thirty days. What looks
// around by itself must not do so all the time.
var bounds = map[engine.Limit]duration{
	engine.Rest:         {zero: true, least: time.Second, most: 30 * day},
	engine.Recheck:      {least: time.Second, most: time.Hour},
	engine.Relook:       {least: time.Second, most: time.Hour},
	engine.Startup:      {least: 100 * time.Millisecond, most: time.Minute},
	engine.Scan:         {least: time.Second, most: time.Hour},
	engine.ProcessCheck: {least: time.Second, most: time.Hour},
	engine.Walk:         {least: 5 * time.Second, most: day},
	engine.Weigh:        {least: 5 * time.Second, most: day},
}

// aliases are other names of limits.
var aliases = map[engine.Limit]string{engine.ProcessCheck: "processCheckInterval"}

// limit is the row of a limit.
func limit(l engine.Limit, says string) key {
	d, ok := bounds[l]
	if !ok {
		d = duration{least: time.Millisecond, most: 30 * day}
	}
	return key{
		name: l.String(), also: aliases[l], value: strconv.Quote(length(engine.DefaultLimits()[l])), says: says,
		take: to(d, func(c *Config) *time.Duration { return &c.Limits[l] }),
	}
}

// length is a duration as one would write it: "24h", not "24h0m0s".
func length(d time.Duration) string {
	s := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(s, zero) {
			s = s[:len(s)-2]
		}
	}
	return s
}

// find returns the key called name.
func (s *section) find(name string) *key {
	for i := range s.keys {
		if k := &s.keys[i]; name == k.name || name == k.also && name != "" {
			return k
		}
	}
	return nil
}

// part returns the section called name.
func part(name string) *section {
	for i := range table {
		if table[i].name == name {
			return &table[i]
		}
	}
	return nil
}
