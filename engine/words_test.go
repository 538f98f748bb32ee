package engine

import "testing"

func TestSized(t *testing.T) {
	for n, want := range map[int64]string{0: "0 kB", 12_345: "12 kB", 327_155_712: "327 MB", 1_449_000_000: "1.4 GB"} {
		if got := Sized(n); got != want {
			t.Errorf("%d: got %q, want %q", n, got, want)
		}
	}
}
