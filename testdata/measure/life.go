//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"deskbell/engine"
)

// running starts deskbell on n sessions and follows it.
func (b *bench) running(n int) (*daemon, <-chan change, func(), error) {
	w, err := newWorld()
	if err != nil {
		return nil, nil, nil, err
	}
	d, err := b.start(w, n)
	if err != nil {
		return nil, nil, nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	changes, err := d.follow(ctx)
	end := func() { cancel(); d.end() }
	if err != nil {
		end()
	}
	return d, changes, end, err
}

func (b *bench) memory() (string, bool, error) {
	d, _, end, err := b.running(50)
	if err != nil {
		return "", false, err
	}
	defer end()
	before, began := cpu(d.pid()), time.Now()
	d.work(b.watch / 2)
	share := float64(cpu(d.pid())-before) / time.Since(began).Seconds()
	return fmt.Sprintf("%.1f MB, %.2f %% of a core", rss(d.pid()), share), rss(d.pid()) <= 30, nil
}

// exit kills sessions while all are at rest.
func (b *bench) exit() (string, bool, error) {
	d, changes, end, err := b.running(20)
	if err != nil {
		return "", false, err
	}
	defer end()
	var took []time.Duration
	for _, s := range d.sessions {
		time.Sleep(50 * time.Millisecond)
		began := time.Now()
		if err := s.process.Process.Kill(); err != nil {
			return "", false, err
		}
		heard, err := await(changes, s.id, engine.Ended)
		if err != nil {
			return "", false, err
		}
		took = append(took, heard.Sub(began))
	}
	return fmt.Sprintf("p50 %.1f ms, p95 %.1f ms", ms(median(took)), ms(at(took, 95))), at(took, 95) <= 200*time.Millisecond, nil
}

// arrival begins sessions while all others are at rest.
func (b *bench) arrival() (string, bool, error) {
	d, changes, end, err := b.running(1)
	if err != nil {
		return "", false, err
	}
	defer end()
	var took []time.Duration
	for i := range 20 {
		time.Sleep(50 * time.Millisecond)
		began := time.Now()
		if err := d.add(1 + i); err != nil {
			return "", false, err
		}
		heard, err := await(changes, d.sessions[1+i].id, engine.Idle)
		if err != nil {
			return "", false, err
		}
		took = append(took, heard.Sub(began))
	}
	return fmt.Sprintf("p50 %.0f ms, p95 %.0f ms", ms(median(took)), ms(at(took, 95))), at(took, 95) <= time.Second, nil
}

// crowd has one session of 20 wait for a yes, which is no rest, among many processes.
func (b *bench) crowd() (string, bool, error) {
	var others []*exec.Cmd
	defer func() {
		for _, c := range others {
			_ = c.Process.Kill()
			_ = c.Wait()
		}
	}()
	for range 680 {
		c := exec.Command("sleep", "86400")
		if err := c.Start(); err != nil {
			return "", false, err
		}
		others = append(others, c)
	}
	d, changes, end, err := b.running(20)
	if err != nil {
		return "", false, err
	}
	defer end()
	if err := d.sessions[0].say("waiting", time.Now()); err != nil {
		return "", false, err
	}
	if _, err := await(changes, d.sessions[0].id, engine.Approval); err != nil {
		return "", false, err
	}
	time.Sleep(time.Minute) // until then all of them are young
	before, began := cpu(d.pid()), time.Now()
	time.Sleep(2 * b.watch)
	share := float64(cpu(d.pid())-before) / time.Since(began).Seconds()
	return fmt.Sprintf("%.3f %% of a core, %.1f MB", share, rss(d.pid())), share <= 0.2, nil
}

// cold starts deskbell on a long history, and once more under strace to see what it reads.
func (b *bench) cold() (string, bool, error) {
	const live = 20
	w, err := newWorld()
	if err != nil {
		return "", false, err
	}
	if err := w.history(5000, live); err != nil {
		return "", false, err
	}
	d, err := b.start(w, live)
	if err != nil {
		return "", false, err
	}
	defer d.end()
	took := time.Since(d.began)
	for time.Since(d.began) < patience && field(d.pid(), "io", "rchar") < live*window {
		time.Sleep(2 * time.Millisecond)
	}
	all := time.Since(d.began)
	time.Sleep(2 * time.Second)
	size := rss(d.pid())
	read, err := b.reads(d)
	return fmt.Sprintf("%.0f ms, their transcripts after %.0f ms, at most %.1f KB read of one, %.1f MB", ms(took), ms(all), float64(read)/1024, size), took <= 300*time.Millisecond && read > 0 && read <= window+1<<10, err
}

// window is how much of a transcript is to be read at first, beside what tells it from
// another.
const window = 64 << 10

// reads starts deskbell again and returns how much it reads of the transcript of a live
// session at most.
func (b *bench) reads(d *daemon) (most int, err error) {
	d.interrupt()
	_ = os.RemoveAll(filepath.Join(d.home, ".local")) // as if it were the first start
	file := filepath.Join(d.home, "project0", "trace")
	again := exec.Command("strace", "-f", "--seccomp-bpf", "-y", "-e", "trace=read,pread64", "-o", file, b.bin)
	again.Env = d.run.Env
	d.run = again
	if err := again.Start(); err != nil {
		return 0, err
	}
	if err := d.shows(len(d.sessions)); err != nil {
		return 0, err
	}
	var text []byte
	for end := time.Now().Add(patience); time.Now().Before(end) && bytes.Count(text, []byte(".jsonl>")) < 2*len(d.sessions); time.Sleep(time.Second) {
		if text, err = os.ReadFile(file); err != nil {
			return 0, err
		}
	}
	d.interrupt()
	of := map[string]int{}
	for _, call := range readOf.FindAllStringSubmatch(string(text), -1) {
		n, _ := strconv.Atoi(call[2])
		of[call[1]] += n
	}
	for _, s := range d.sessions {
		most = max(most, of[s.log])
	}
	return most, nil
}

// readOf is a read of a transcript that came back with something.
var readOf = regexp.MustCompile(`<([^>]+\.jsonl)>.* = ([1-9]\d*)\n`)

// growth appends to one large transcript.
func (b *bench) growth() (string, bool, error) {
	d, _, end, err := b.running(1)
	if err != nil {
		return "", false, err
	}
	defer end()
	s := d.sessions[0]
	if err := s.turn(0); err != nil {
		return "", false, err
	}
	if err := os.Truncate(s.log, 1<<30); err != nil {
		return "", false, err
	}
	f, err := os.OpenFile(s.log, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return "", false, err
	}
	defer f.Close()
	fill := strings.Repeat("x", 800)
	step := func(n int) error {
		_, err := f.WriteString("\n" + strings.Repeat(line("assistant", fmt.Sprintf(
			`{"role":"assistant","stop_reason":null,"content":[{"type":"text","text":"%d %s"}]}`, n, fill), s), 100))
		return err
	}
	grow := func(d time.Duration) error {
		beat := time.NewTicker(100 * time.Millisecond)
		defer beat.Stop()
		for n := range int(d / (100 * time.Millisecond)) {
			if err := step(n); err != nil {
				return err
			}
			<-beat.C
		}
		return nil
	}
	if err := grow(5 * time.Second); err != nil {
		return "", false, err
	}
	before, size, began := cpu(d.pid()), rss(d.pid()), time.Now()
	if err := grow(b.watch / 2); err != nil {
		return "", false, err
	}
	share, more := float64(cpu(d.pid())-before)/time.Since(began).Seconds(), rss(d.pid())-size
	return fmt.Sprintf("%.2f %% of a core, %.1f MB, %+.1f MB", share, rss(d.pid()), more), share <= 5 && more <= 2, nil
}
