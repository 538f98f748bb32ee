package notify

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// The sound is a small, soft, well-formed file without clicks, the same each time.
func TestChime(t *testing.T) {
	wav := chime()
	if !bytes.Equal(wav, chime()) {
		t.Error("it is another each time")
	}
	if len(wav) > 40<<10 {
		t.Errorf("it has %d bytes", len(wav))
	}
	var h struct {
		Riff       [4]byte
		Size       uint32
		Wave, Fmt  [4]byte
		FmtSize    uint32
		PCM, Mono  uint16
		Rate, Byte uint32
		Frame, Bit uint16
		Data       [4]byte
		DataSize   uint32
	}
	r := bytes.NewReader(wav)
	if err := binary.Read(r, binary.LittleEndian, &h); err != nil {
		t.Fatal(err)
	}
	if string(h.Riff[:]) != "RIFF" || string(h.Wave[:]) != "WAVE" || string(h.Fmt[:]) != "fmt " || string(h.Data[:]) != "data" ||
		int(h.Size) != len(wav)-8 || h.FmtSize != 16 || h.PCM != 1 || h.Mono != 1 || h.Rate != rate || h.Byte != 2*rate ||
		h.Frame != 2 || h.Bit != 16 || int(h.DataSize) != r.Len() {
		t.Errorf("got %+v", h)
	}
	samples := make([]int16, r.Len()/2)
	if err := binary.Read(r, binary.LittleEndian, samples); err != nil {
		t.Fatal(err)
	}
	var loudest int16
	for _, s := range samples {
		loudest = max(loudest, s, -s)
	}
	if loudest < 1<<10 || loudest > 1<<14 {
		t.Errorf("the loudest sample is %d", loudest)
	}
	if first, last := samples[0], samples[len(samples)-1]; first != 0 || last > 50 || last < -50 {
		t.Errorf("it goes from %d to %d", first, last)
	}
}
