package live

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"deskbell/engine"
)

// The contract: every field of the API by its path. Those after the bar are left
// out where there is nothing to say.
const (
	snapshotFields = `seq at counts counts.needs_you counts.working counts.approval counts.input counts.waiting counts.prompting
		counts.idle counts.connecting counts.asleep counts.ended sessions
		| muted muted.dir muted.until`
	sessionFields = `id tool title project dir began_in status since needs_you guess unseen
		reason reason.rule reason.weight reason.by reason.since reason.why
		external hosted asleep pinned muted alert shared hands_off central queue resumable runs
		| session_id doing asks asks_by asks_open trouble reason.until
		against against.rule against.weight against.by against.since against.until against.why
		peer pid runs_in terminal tty model effort permission_mode last_write
		branch branch.head branch.ahead branch.behind branch.dirty memory label label.name label.color room muted_until name
		team team.id team.name team.role agents agents.id agents.type agents.task agents.status agents.tools agents.since shells`
)

// fields splits a list into those that are always there and all of them.
func fields(list string) (always, all []string) {
	before, after, _ := strings.Cut(list, "|")
	always = strings.Fields(before)
	all = append(slices.Clone(always), strings.Fields(after)...)
	slices.Sort(always)
	slices.Sort(all)
	return always, all
}

// paths returns the field names in v, those of lists once.
func paths(prefix string, v any, into map[string]any) {
	switch v := v.(type) {
	case map[string]any:
		for k, inner := range v {
			into[prefix+k] = inner
			paths(prefix+k+".", inner, into)
		}
	case []any:
		for _, inner := range v {
			paths(prefix, inner, into)
		}
	}
}

func pathsOf(t *testing.T, v any) map[string]any {
	t.Helper()
	text, err := encode(v)
	if err != nil {
		t.Fatal(err)
	}
	var tree any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&tree); err != nil {
		t.Fatal(err)
	}
	found := map[string]any{}
	paths("", tree, found)
	return found
}

func same(t *testing.T, what string, got map[string]any, want []string) {
	t.Helper()
	if have := slices.Sorted(maps.Keys(got)); !slices.Equal(have, want) {
		t.Errorf("%s:\ngot  %v\nwant %v", what, have, want)
	}
}

// elsewhere is a zone that is not ours, and an odd number of nanoseconds.
var elsewhere = time.Date(2026, 11, 30, 10, 0, 0, 123456789, time.FixedZone("", 2*60*60))

// full returns a session in which no field is zero.
func full() engine.Session {
	var s engine.Session
	fill(reflect.ValueOf(&s).Elem())
	return s
}

func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(elsewhere))
			return
		}
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	case reflect.Uint8, reflect.Uint64:
		v.SetUint(1)
	default:
		panic("a field of a new kind: " + v.Type().String())
	}
}

func TestContract(t *testing.T) {
	always, all := fields(sessionFields)
	same(t, "a session with everything", pathsOf(t, utc(full())), all)
	same(t, "a session with nothing", pathsOf(t, utc(engine.Session{})), always)

	whole, _ := fields(snapshotFields)
	same(t, "a snapshot", pathsOf(t, shown(engine.Snapshot{})), whole)

	for name, c := range map[string]Change{
		"change": {Seq: 7, At: elsewhere, From: engine.Working, Session: &engine.Session{}},
		"gone":   {Seq: 7, At: elsewhere, Gone: "s7"},
	} {
		event, body := c.event()
		if event != name {
			t.Errorf("got event %q, want %q", event, name)
		}
		want := map[string][]string{"change": {"at", "from", "seq", "session"}, "gone": {"at", "id", "seq"}}[name]
		found := pathsOf(t, body)
		maps.DeleteFunc(found, func(k string, _ any) bool { return strings.Contains(k, ".") })
		same(t, name, found, want)
	}
}

// TestTimesAreUTC checks every time that goes out.
func TestTimesAreUTC(t *testing.T) {
	const want = "2026-11-30T08:00:00.123456789Z"
	s := full()
	_, change := Change{At: elsewhere, Session: &s}.event()
	_, gone := Change{At: elsewhere, Gone: "s1"}.event()
	snap := shown(engine.Snapshot{Sessions: []engine.Session{s}})
	snap.At = elsewhere.UTC()
	times := 0
	for _, v := range []any{change, gone, snap} {
		for path, value := range pathsOf(t, v) {
			text := fmt.Sprint(value)
			if _, err := time.Parse(time.RFC3339Nano, text); err != nil {
				continue
			}
			if times++; text != want {
				t.Errorf("%s: got %s, want %s", path, text, want)
			}
		}
	}
	if times < 15 {
		t.Errorf("saw %d times, want more", times)
	}
	if s.Against[0].Since != elsewhere || s.Agents[0].Since != elsewhere {
		t.Errorf("the session of others was changed")
	}
}
