package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
)

// CallRecording are the calls of a runtime for one pod.
type CallRecording struct {
	Case  string `json:"case"`
	Calls []Call `json:"calls"`
	// Missed are the steps that waited in vain.
	Missed []string `json:"missed,omitempty"`
}

// methodsFile is the recording of the names of all methods that a kubelet called.
const methodsFile = "methods.json"

// compareCalls is what is different: call (the sequence of calls), field (of the same call on both sides), wait (a step that waited in
// vain).
func compareCalls(kubelet, vertlet CallRecording) []Difference {
	differences := align("call", kubelet.headlines(), vertlet.headlines())
	others := vertlet.byHeadline()
	for _, call := range kubelet.first() {
		if other, both := others[call.headline()]; both {
			differences = append(differences, compareFields(call, other)...)
		}
	}
	return append(differences, align("wait", lines(kubelet.Missed), lines(vertlet.Missed))...)
}

func compareFields(kubelet, vertlet Call) []Difference {
	paths := map[string]bool{}
	for path := range kubelet.Fields {
		paths[path] = true
	}
	for path := range vertlet.Fields {
		paths[path] = true
	}
	var differences []Difference
	if kubelet.Failed != vertlet.Failed {
		differences = append(differences, Difference{"field", fmt.Sprintf("%s failed: kubelet %q, vertlet %q", kubelet.headline(), kubelet.Failed, vertlet.Failed)})
	}
	for _, path := range sortedKeys(paths) {
		k, v := shown(kubelet.Fields, path), shown(vertlet.Fields, path)
		if k != v {
			differences = append(differences, Difference{"field", fmt.Sprintf("%s %s: kubelet %s, vertlet %s", kubelet.headline(), path, k, v)})
		}
	}
	return differences
}

// first has the first of all calls with the same headline: how often a probe comes, and how often a stop is repeated, is a matter of
// time.
func (r CallRecording) first() []Call {
	var first []Call
	known := map[string]bool{}
	for _, call := range r.Calls {
		if !known[call.headline()] {
			known[call.headline()] = true
			first = append(first, call)
		}
	}
	return first
}

// headlines are the calls in their order, without repetitions. A kubelet stops the containers of a pod side by side, so that the order
// of stops that follow one another is chance.
func (r CallRecording) headlines() []line {
	calls := r.first()
	for begin := 0; begin < len(calls); begin++ {
		end := begin
		for end < len(calls) && calls[end].Method == "StopContainer" {
			end++
		}
		sort.Slice(calls[begin:end], func(i, j int) bool { return calls[begin+i].Of < calls[begin+j].Of })
		begin = end
	}
	var all []line
	for _, call := range calls {
		all = append(all, line{call.headline(), -1})
	}
	return all
}

func (r CallRecording) byHeadline() map[string]Call {
	calls := map[string]Call{}
	for _, call := range r.first() {
		calls[call.headline()] = call
	}
	return calls
}

// judgeCalls compares the calls of a case that has run.
func judgeCalls(o options, drivers []Driver, c Case, states []Recording, reasons []*Reason) (Result, error) {
	recordings := make([]CallRecording, len(drivers))
	for i, driver := range drivers {
		calls, err := driver.side.Calls.of(c.Name)
		if err != nil {
			return Result{}, err
		}
		recordings[i] = CallRecording{c.Name, calls, states[i].Missed}
		file := filepath.Join(o.seen(), c.Name+"."+driver.side.Node+".json")
		if err := writeJSON(file, driver.side.Calls.requests(c.Name)); err != nil {
			return Result{}, err
		}
	}
	kubelet, vertlet := recordings[0], recordings[len(recordings)-1]
	if err := writeJSON(recordingFile(o.seen(), c), vertlet); err != nil {
		return Result{}, err
	}
	if o.recorded {
		recorded, err := readCalls(o.folder("recorded"), c)
		if err != nil {
			return Result{}, fmt.Errorf("the kubelet's side was not recorded: %w", err)
		}
		kubelet = recorded
	} else if o.record {
		if err := writeJSON(recordingFile(o.folder("recorded"), c), kubelet); err != nil {
			return Result{}, err
		}
	}
	return explain(c, compareCalls(kubelet, vertlet), reasons), nil
}

func compareCallsAgain(o options, c Case, reasons []*Reason) (Result, error) {
	kubelet, err := readCalls(o.folder("recorded"), c)
	if err != nil {
		return Result{}, err
	}
	vertlet, err := readCalls(o.seen(), c)
	if err != nil {
		return Result{}, err
	}
	return explain(c, compareCalls(kubelet, vertlet), reasons), nil
}

// compareMethods is about what the nodes ever called, for whatever pod or for none.
func compareMethods(o options, drivers []Driver, reasons []*Reason) (Result, error) {
	kubelet, vertlet := drivers[0].side.Calls.called(), drivers[len(drivers)-1].side.Calls.called()
	file := o.folder("recorded", methodsFile)
	if o.recorded {
		text, err := os.ReadFile(file)
		if err != nil {
			return Result{}, err
		}
		kubelet = nil
		if err := json.Unmarshal(text, &kubelet); err != nil {
			return Result{}, fmt.Errorf("%s: %w", file, err)
		}
	} else if o.record {
		if err := writeJSON(file, kubelet); err != nil {
			return Result{}, err
		}
	}
	return explain(Case{Name: "methods"}, align("method", lines(kubelet), lines(vertlet)), reasons), nil
}

func recordingFile(folder string, c Case) string {
	return filepath.Join(folder, c.Name+".json")
}

func readCalls(folder string, c Case) (CallRecording, error) {
	var r CallRecording
	text, err := os.ReadFile(recordingFile(folder, c))
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return r, fmt.Errorf("%s: %w", c.Name, err)
	}
	return r, nil
}
