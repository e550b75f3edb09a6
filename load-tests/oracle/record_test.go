package main

import (
	"reflect"
	"testing"
)

func TestReadsARecordingAsItWasWritten(t *testing.T) {
	folder := t.TempDir()
	r := Recording{Case: "c", States: []State{{"phase": "Pending", "message": "wait"}, {"phase": "Running"}}, At: []float64{0, 1.5}, Events: []string{"a"}}
	if err := r.write(folder); err != nil {
		t.Fatal(err)
	}
	got, err := readRecording(folder, "c")
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, r) {
		t.Errorf("got %v", got)
	}
}
