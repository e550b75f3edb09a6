package main

import (
	"reflect"
	"testing"
)

var simulatedSide = Side{Node: "node-a", Namespace: "space-a", Simulated: true}

func TestReadsAllCases(t *testing.T) {
	cases, err := loadCases("cases")
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) < 60 {
		t.Errorf("has %d cases", len(cases))
	}
}

func TestReadsAllReasons(t *testing.T) {
	if _, err := loadReasons("reasons.yaml"); err != nil {
		t.Fatal(err)
	}
}

func TestHasARecordingOfEachCase(t *testing.T) {
	cases, err := loadCases("cases")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		if _, err := readRecording("recorded", c.Name); err != nil {
			t.Error(err)
		}
	}
}

func TestRefusesAStepThatSaysTwoThings(t *testing.T) {
	c := Case{Name: "c", Shows: "nothing", Steps: []Step{{Start: true, Sleep: "1s"}}}
	if c.check() == nil {
		t.Error("is taken")
	}
}

func TestAnnotatesSimulatedPodsOnly(t *testing.T) {
	c := Case{Name: "c", Simulate: map[string]string{"run-for": "2s", "start-delay": "0"}, Spec: map[string]any{}}
	annotations := c.pod(simulatedSide)["metadata"].(map[string]any)["annotations"]
	wanted := map[string]any{annotation + "run-for": "2s", annotation + "start-delay": "0", annotation + "sandbox-delay": "500ms", annotation + "resize-delay": "500ms"}
	if !reflect.DeepEqual(annotations, wanted) {
		t.Errorf("has %v", annotations)
	}
	if real := c.pod(Side{}); real["metadata"].(map[string]any)["annotations"] != nil {
		t.Error("a real pod has annotations")
	}
}

func TestCompletesContainers(t *testing.T) {
	short := []any{map[string]any{"name": "a", "run": "exit 1"}, map[string]any{"name": "b", "image": "other", "command": []any{"/none"}}}
	pod := makePod(simulatedSide, "p", map[string]any{"containers": short})
	wanted := []any{
		map[string]any{"name": "a", "image": image, "imagePullPolicy": "IfNotPresent", "command": []any{"sh", "-c", "exit 1"}},
		map[string]any{"name": "b", "image": "other", "imagePullPolicy": "IfNotPresent", "command": []any{"/none"}},
	}
	if got := pod["spec"].(map[string]any)["containers"]; !reflect.DeepEqual(got, wanted) {
		t.Errorf("has %v", got)
	}
}
