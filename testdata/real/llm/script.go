package llm

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// reply is what is sent back for one request.
type reply struct {
	Status int           // not 0: an API error with this HTTP status
	Slow   time.Duration // the text is spread over this long
	Wait   time.Duration // silence before the first byte
	Calls  []call
}

// call is one content block of a reply: text, or a tool call when Tool is set.
type call struct {
	Tool  string
	Input any
	Text  string
}

func say(text string) reply { return reply{Calls: []call{{Text: text}}} }

// decide picks the reply to a request and names it for the log.
func decide(q request) (reply, string) {
	text, step := q.prompt()
	switch {
	case len(q.Tools) == 0:
		return aside(q), "aside"
	case strings.Contains(text, "summary of the conversation"):
		rep := say("<summary>Scripted summary of the conversation.</summary>")
		rep.Wait = time.Second
		return rep, "summary"
	case strings.HasPrefix(text, "<task-notification>"):
		return say("Noted."), "task notification"
	}
	steps := strings.Split(text, ";;")
	if step >= len(steps) {
		return say("All steps done."), "end"
	}
	return parse(steps[step]), strings.TrimSpace(steps[step])
}

// aside answers the CLI's own calls: titles, the state of a background job.
// They never play the script.
func aside(q request) reply {
	if strings.Contains(string(q.Output), "json_schema") {
		return say(`{"title":"Scripted session"}`)
	}
	last := ""
	if n := len(q.Messages); n > 0 {
		last = string(q.Messages[n-1].Content)
	}
	switch {
	case strings.Contains(last, "Current state:"):
		return say(`{"state":"done","detail":"scripted result","tempo":"idle","output":{"result":"scripted result"}}`)
	case strings.Contains(last, "lowercase label"):
		return say("scripted job")
	}
	return say("Scripted side answer.")
}

// parse turns one step ("RUN: ls ++ RUN: pwd") into a reply.
func parse(step string) (r reply) {
	for part := range strings.SplitSeq(step, "++") {
		word, rest, _ := strings.Cut(strings.TrimSpace(part), " ")
		rest = strings.TrimSpace(rest)
		if play, ok := directives[strings.TrimSuffix(word, ":")]; ok {
			play(&r, rest)
		}
	}
	if r.Status == 0 && len(r.Calls) == 0 {
		return say("Acknowledged.")
	}
	return r
}

var directives = map[string]func(r *reply, rest string){
	"TEXT": func(r *reply, rest string) { r.Calls = append(r.Calls, call{Text: rest}) },
	"RUN": func(r *reply, rest string) {
		r.use("Bash", map[string]any{"command": rest, "description": "Run " + rest})
	},
	"ESCALATE": func(r *reply, rest string) { // a command that asks, where the CLI has a sandbox
		r.use("Escalate", map[string]any{"command": rest})
	},
	"BG": func(r *reply, rest string) {
		r.use("Bash", map[string]any{"command": rest, "description": "Run in background", "run_in_background": true})
	},
	"WRITE": func(r *reply, rest string) {
		path, body, _ := strings.Cut(rest, " ")
		r.use("Write", map[string]any{"file_path": path, "content": body + "\n"})
	},
	"ASK": func(r *reply, rest string) {
		r.use("AskUserQuestion", map[string]any{"questions": []any{map[string]any{
			"question": rest, "header": "Choice", "multiSelect": false,
			"options": []any{
				map[string]any{"label": "Alpha", "description": "First option"},
				map[string]any{"label": "Beta", "description": "Second option"},
			}}}})
	},
	"PLANMODE": func(r *reply, _ string) { r.use("EnterPlanMode", map[string]any{}) },
	"PLAN": func(r *reply, rest string) {
		r.use("ExitPlanMode", map[string]any{"plan": "# Plan\n\n1. " + rest + "\n"})
	},
	"AGENT": func(r *reply, rest string) {
		r.use("Agent", map[string]any{
			"description": "Sub task", "subagent_type": "general-purpose",
			"prompt": strings.NewReplacer("{", "", "}", "", "|", ";;", "&", "++").Replace(rest),
		})
	},
	"TOOL": func(r *reply, rest string) {
		name, in, _ := strings.Cut(rest, " ")
		r.use(name, json.RawMessage(in))
	},
	"SLOW": func(r *reply, rest string) {
		r.Slow = seconds(rest)
		r.Calls = append(r.Calls, call{Text: strings.Repeat("slow words ", 40)})
	},
	"WAIT": func(r *reply, rest string) { r.Wait = seconds(rest) },
	"ERR":  func(r *reply, rest string) { r.Status, _ = strconv.Atoi(first(rest)) },
}

func (r *reply) use(tool string, input any) {
	r.Calls = append(r.Calls, call{Tool: tool, Input: input})
}

func first(s string) string { return strings.Fields(s + " 0")[0] }

func seconds(s string) time.Duration {
	n, _ := strconv.ParseFloat(first(s), 64)
	return time.Duration(n * float64(time.Second))
}
