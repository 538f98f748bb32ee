package watch

import (
	"slices"
	"strings"
	"testing"
)

// TestRetell checks that what was told is told again, and nothing twice: whole files,
// and the logs of the sessions that were asked about.
func TestRetell(t *testing.T) {
	home := t.TempDir()
	put(t, home+"/sessions/a.json", `{"Level":"busy"}`)
	put(t, home+"/sessions/b.json", `{"Level":"idle"}`)
	put(t, home+"/projects/p/a.jsonl", "a one\na open c\n")
	put(t, home+"/projects/p/b.jsonl", "b one\n")
	old(t, 1, home+"/projects/p/a.jsonl", home+"/projects/p/b.jsonl", home+"/sessions/b.json")
	r := start(t, home)
	r.expect("a busy, b idle")
	r.Answer(ask("a"))
	r.expect("a one, a open c")
	r.add("projects/p/a.jsonl", "a two\n")
	r.expect("a two")

	r.Retell()
	r.expect("a busy, b idle")
	r.expect("a one, a open c, a two")
	r.silent()

	r.write("sessions/a.json", `{"Level":"idle"}`)
	r.expect("a idle")
	r.add("projects/p/a.jsonl", "a close c\n")
	r.expect("a close c")
	r.Retell()
	got := []string{r.next(), r.next()}
	if want := []string{"a idle, b idle", "a one, a open c, a two, a close c"}; !slices.Equal(got, want) {
		t.Errorf("got %s, want %s", strings.Join(got, "; "), strings.Join(want, "; "))
	}
	r.silent()
}
