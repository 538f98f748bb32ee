package listing

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"deskbell/engine"
)

// TestFollows checks that rows are told once: when they are added, and when an open one
// changes. At a start the session that moved last comes first.
func TestFollows(t *testing.T) {
	r := newRig(t)
	r.add("r1", "a", true)
	r.add("r2", "b", true)
	open := r.add("r1", "c", false)
	r.start()
	r.expect(r.look(), "r1 a!", "r1 c", "r2 b!")
	r.expect(r.look())
	r.add("r2", "d", true)
	r.expect(r.look(), "r2 d!")
	r.exec("UPDATE said SET done = 1 WHERE id = ?", open)
	r.expect(r.look(), "r1 c!")
	r.exec("UPDATE said SET done = 2 WHERE id = ?", open) // it was done with
	r.expect(r.look())
	both := r.add("r1", "e", false)
	r.exec("UPDATE said SET done = 1 WHERE id = ?", both)
	r.expect(r.look(), "r1 e!")
	r.expect(r.after(r.Retell), "r1 a!", "r1 c!!", "r1 e!", "r2 b!", "r2 d!")
	if r.words() != "" {
		t.Errorf("said %s", r.words())
	}
}

// TestAsked checks what is read of a session that is asked about, and of all.
func TestAsked(t *testing.T) {
	r := newRig(t)
	for i := range 5 {
		r.add("r1", fmt.Sprint(i), true)
	}
	r.add("r2", "x", true)
	ask := func(a engine.Ask, who engine.Who) func() {
		return func() { r.Answer(engine.Question{Ask: a, Who: who}) }
	}
	r.start()
	r.expect(r.after(ask(engine.AskRecord, engine.Who{Tool: "shop", ID: "r1"}))) // no database is known yet
	r.expect(r.look(), "r2 x!", "r1 0!", "r1 1!", "r1 2!", "r1 3!", "r1 4!", "r1 2!", "r1 3!", "r1 4!")
	r.expect(r.after(ask(engine.AskRecord, engine.Who{Tool: "shop", ID: "r2", Home: r.home})), "r2 x!")
	r.expect(r.after(ask(engine.AskRecords, engine.Who{Tool: "shop", Dir: "/w/one"})), "r2 x!", "r1 0!", "r1 1!", "r1 2!", "r1 3!", "r1 4!")
	for _, q := range []engine.Question{
		{Ask: engine.AskRecord, Who: engine.Who{Tool: "shop"}}, {Ask: engine.AskRecord, Who: engine.Who{Tool: "other", ID: "r1"}},
		{Ask: engine.AskRecord, Who: engine.Who{Tool: "shop", ID: "r1", Home: "/elsewhere"}}, {Ask: engine.AskRecord, Who: engine.Who{Tool: "shop", ID: "' OR 1=1 --"}},
		{Ask: engine.AskProcess, Who: engine.Who{Tool: "shop", ID: "r1"}},
	} {
		r.expect(r.after(func() { r.Answer(q) }))
	}
}

// TestOld checks that what is too old is not told at a start.
func TestOld(t *testing.T) {
	r := newRig(t)
	r.exec("INSERT INTO said VALUES ('old', 'r1', ?, 'old', 1)", now.Add(-15*24*time.Hour).UnixMilli())
	r.add("r2", "new", true)
	r.start()
	r.expect(r.look(), "r2 new!")
}

// TestNumbersAgain checks that rows are found whose numbers were in use before, as after
// an undo, and after the database was packed.
func TestNumbersAgain(t *testing.T) {
	r := newRig(t)
	r.add("r1", "a", true)
	b := r.add("r1", "b", true)
	r.start()
	r.expect(r.look(), "r1 a!", "r1 b!")
	r.exec("DELETE FROM said WHERE id = ?", b)
	r.add("r1", "c", true) // has b's number
	r.expect(r.look(), "r1 a!", "r1 c!")
	r.exec("DELETE FROM said")
	r.expect(r.look())
	r.add("r1", "d", true)
	r.expect(r.look(), "r1 d!")
	for i := range 4 {
		r.add("r2", fmt.Sprint(i), true)
	}
	r.expect(r.look(), "r2 0!", "r2 1!", "r2 2!", "r2 3!")
	r.exec("DELETE FROM said WHERE room = 'r1'")
	r.exec("VACUUM")
	r.add("r2", "4", true)
	if got := r.look(); got[len(got)-1] != "r2 4!" {
		t.Errorf("got %q", got)
	}
}

// TestBounded checks that only the end is read of what is long.
func TestBounded(t *testing.T) {
	r := newRig(t)
	fill := func(n int) {
		r.exec(`INSERT INTO said WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < ?1) SELECT 'f' || (SELECT count(*) FROM said) || '-' || i, 'r1', ?2, 'x', 0 FROM n`, n, now.UnixMilli())
	}
	fill(2000)
	r.start()
	if n := len(r.look()); n != tail {
		t.Errorf("%d rows at the start, want %d", n, tail)
	}
	fill(leap + 500)
	if n := len(r.look()); n != leap {
		t.Errorf("%d rows of many new ones, want %d", n, leap)
	}
	r.after(func() {
		r.inbox.Put(func() {
			if kept := r.bases[r.file].tables[0]; len(kept.open) != openKept || len(kept.order) != openKept {
				t.Errorf("%d open rows are kept, want %d", len(kept.open), openKept)
			}
		})
	})
}

// TestBadRows checks that a row that is not understood hides no other.
func TestBadRows(t *testing.T) {
	r := newRig(t)
	r.start()
	r.look()
	r.add("r1", "bad", true)
	r.add("r1", "worse", true)
	r.add("r1", "good", true)
	r.expect(r.look(), "r1 good!")
	r.exec("INSERT INTO said VALUES ('orphan', 'nobody', 1, 'x', 1)")
	r.exec("INSERT INTO said VALUES ('blob', 'r1', ?1, CAST('blob' AS BLOB), 1)", now.UnixMilli())
	r.exec("INSERT INTO said VALUES ('odd', 'r1', 'then', X'00ff', 1)")
	r.expect(r.look(), "r1 \x00\xff!", "r1 blob!")
	if got := r.words(); strings.Count(got, "\n") != 0 || !strings.Contains(got, `said "m1": not understood`) {
		t.Errorf("said %q", got)
	}
}

// sums are the files of a folder, and what is in them.
func sums(t *testing.T, dir string) map[string]string {
	out := map[string]string{}
	if err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		info, _ := d.Info()
		out[path] = fmt.Sprintf("%x %v %v", sha256.Sum256(text), info.ModTime(), info.Mode())
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestLeavesNoTrace checks that a look changes nothing on the disk: while the CLI has the
// database open, when it has closed it, and when it was killed.
func TestLeavesNoTrace(t *testing.T) {
	r := newRig(t)
	r.add("r1", "a", true)
	r.start()
	same := func(when string, want ...string) {
		t.Helper()
		before := sums(t, r.home)
		r.expect(r.look(), want...)
		if after := sums(t, r.home); !maps.Equal(before, after) {
			t.Errorf("%s: the folder was\n%v\nand is\n%v", when, before, after)
		}
	}
	same("open", "r1 a!")
	r.add("r1", "b", true)
	same("open again", "r1 b!")
	r.add("r1", "c", true)
	r.db.close()
	if _, err := os.Stat(r.file + "-shm"); err == nil {
		t.Fatal("the index is still there")
	}
	same("closed", "r1 c!")
	r.db = newWriter(t, r.file)
	r.add("r1", "d", true)
	r.db.kill()
	if _, err := os.Stat(r.file + "-shm"); err != nil {
		t.Fatal("kill -9 left no index")
	}
	same("killed", "r1 d!")
	if r.words() != "" {
		t.Errorf("said %s", r.words())
	}
}

// TestHoldsNobodyUp checks that a writer who waits for no lock never meets one of ours,
// and can put its log away, while we look all the time.
func TestHoldsNobodyUp(t *testing.T) {
	r := newRig(t)
	r.start()
	ctx, stop := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	looks := 0
	wg.Go(func() {
		for ctx.Err() == nil {
			looks++
			if v, err := open(ctx, r.file); err == nil {
				var n int
				_ = v.one("SELECT count(*) FROM said", &n)
				v.Close()
			}
		}
	})
	for i := range 400 {
		r.add("r1", fmt.Sprint(i), true) // busy_timeout is 0: a lock is an error
		if i%20 == 19 {
			r.exec("PRAGMA wal_checkpoint(PASSIVE)")
		}
	}
	stop()
	wg.Wait()
	if looks < 10 {
		t.Errorf("only %d looks", looks)
	}
}

// TestBusy checks that a database that is locked is read when it is not any more.
func TestBusy(t *testing.T) {
	r := newRig(t)
	r.exec("PRAGMA journal_mode = DELETE") // in which a writer locks readers out
	r.add("r1", "a", true)
	r.start()
	r.exec("BEGIN EXCLUSIVE")
	r.add("r1", "b", true)
	r.expect(r.look())
	r.exec("COMMIT")
	deadline := time.Now().Add(20 * time.Second)
	var got []string
	for len(got) == 0 && time.Now().Before(deadline) {
		got = r.after(func() {}) // it is tried again by itself
	}
	r.expect(got, "r1 a!", "r1 b!")
	if r.words() != "" {
		t.Errorf("said %s", r.words())
	}
}

// TestLayout checks that a database of another layout is one message, and is read when it
// is as it should be again.
func TestLayout(t *testing.T) {
	r := newRig(t)
	r.add("r1", "a", true)
	r.exec("ALTER TABLE said RENAME COLUMN done TO finished")
	r.start()
	r.expect(r.look())
	if r.words() != "" {
		t.Errorf("said %q at once: it may be in the making", r.words())
	}
	r.lasting()
	r.expect(r.look())
	if got := r.words(); strings.Count(got, "\n") != 0 || !strings.Contains(got, "its layout is not that of Shop 7") || !strings.Contains(got, "update deskbell") {
		t.Errorf("said %q", got)
	}
	r.exec("ALTER TABLE said RENAME COLUMN finished TO done")
	r.expect(r.look()) // it is not looked at all the time
	r.after(func() { r.inbox.Put(func() { r.bases[r.file].retry = time.Time{} }) })
	r.expect(r.look(), "r1 a!")
}

// TestNoDatabase checks files that are none, or not any more.
func TestNoDatabase(t *testing.T) {
	for name, text := range map[string]string{
		"text": "this is no database at all, and rather long for one that is none: " + strings.Repeat("x", 2000),
		"cut":  "SQLite format 3\x00\x10\x00\x02\x02\x00\x40\x20\x20",
	} {
		r := newRig(t)
		r.start()
		r.file = filepath.Join(r.home, "shop "+name+".db")
		if err := os.WriteFile(r.file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		r.expect(r.look())
		r.lasting()
		r.expect(r.look())
		if got := r.words(); !strings.Contains(got, "it cannot be read") || strings.Count(got, "\n") != 0 {
			t.Errorf("%s: said %q", name, got)
		}
		if text2, _ := os.ReadFile(r.file); !bytes.Equal(text2, []byte(text)) {
			t.Errorf("%s: the file was changed", name)
		}
	}
	r := newRig(t)
	r.add("r1", "a", true)
	r.start()
	r.expect(r.look(), "r1 a!")
	r.db.close()
	for _, end := range []string{"", "-wal", "-shm"} {
		_ = os.Remove(r.file + end)
	}
	r.expect(r.look())
	r.db = newWriter(t, r.file) // another one, with the same numbers
	r.exec(layout)
	r.add("r2", "b", true)
	r.expect(r.look(), "r2 b!")
	if r.words() != "" {
		t.Errorf("said %s", r.words())
	}
}

// TestDamaged checks that a damaged database harms nobody.
func TestDamaged(t *testing.T) {
	r := newRig(t)
	for i := range 300 {
		r.add("r1", strings.Repeat(fmt.Sprint(i), 100), true)
	}
	r.db.close()
	text, err := os.ReadFile(r.file)
	if err != nil {
		t.Fatal(err)
	}
	for i := 4096; i < len(text); i += 97 {
		text[i] ^= 0x5a
	}
	if err := os.WriteFile(r.file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	r.start()
	r.expect(r.look())
	r.lasting()
	r.expect(r.look())
	if got := r.words(); !strings.Contains(got, r.file) || strings.Count(got, "\n") != 0 {
		t.Errorf("said %q", got)
	}
}

// TestForeign checks that no other file is opened.
func TestForeign(t *testing.T) {
	r := newRig(t)
	r.add("r1", "a", true)
	r.start()
	r.expect(r.after(func() { r.Changed("other", r.home, r.file) }))
	r.expect(r.after(func() { r.Changed("shop", filepath.Join(r.home, "below"), r.file) }))
	r.expect(r.after(func() { r.Changed("shop", filepath.Dir(r.home), r.file) }))
}

// TestMaking checks that a database whose tables are made after it was found is read then,
// and nothing is said.
func TestMaking(t *testing.T) {
	r := newRig(t)
	r.file = filepath.Join(r.home, "shop new.db")
	r.db = newWriter(t, r.file)
	r.exec("CREATE TABLE migration (id text)")
	r.start()
	r.expect(r.look())
	r.exec(layout)
	r.add("r1", "a", true)
	r.expect(r.look(), "r1 a!")
	if r.words() != "" {
		t.Errorf("said %s", r.words())
	}
}
