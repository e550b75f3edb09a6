package main

import (
	"reflect"
	"testing"
)

func texts(differences []Difference) []string {
	var all []string
	for _, difference := range differences {
		all = append(all, difference.String())
	}
	return all
}

func expect(t *testing.T, differences []Difference, wanted ...string) {
	t.Helper()
	if got := texts(differences); !reflect.DeepEqual(got, wanted) {
		t.Errorf("got %q, wanted %q", got, wanted)
	}
}

func TestEqualRecordingsHaveNoDifferences(t *testing.T) {
	r := Recording{States: []State{{"phase": "Pending"}, {"phase": "Running"}}, At: []float64{0, 1}, Events: []string{"a", "b"}}
	expect(t, compare(r, r))
}

func TestTellsWhatIsDifferentInTheLastStatus(t *testing.T) {
	kubelet := Recording{States: []State{{"phase": "Running", "x": "1", "y": "1"}}}
	vertlet := Recording{States: []State{{"phase": "Running", "x": "2"}}}
	expect(t, compare(kubelet, vertlet), `last: x: kubelet "1", vertlet "2"`, `last: y: kubelet "1", vertlet none`)
}

func TestTellsOfValuesThatOneSideAloneEverShowed(t *testing.T) {
	kubelet := Recording{States: []State{{"message": "wait"}, {}}, At: []float64{0, 3}}
	vertlet := Recording{States: []State{{}}, At: []float64{0}}
	expect(t, compare(kubelet, vertlet), `seen: kubelet alone: message: "wait"`)
}

func TestTellsOfStatesThatOneSideAloneHad(t *testing.T) {
	waiting := State{"phase": "Pending", "containers.main.state.waiting.reason": "ContainerCreating"}
	running := State{"phase": "Running", "containers.main.state.running.startedAt": "<time>", "containers.main.ready": "true"}
	kubelet := Recording{States: []State{waiting, running}, At: []float64{0, 3}}
	vertlet := Recording{States: []State{running}, At: []float64{0}}
	expect(t, align("order", kubelet.headlines(), vertlet.headlines()), "order: kubelet alone: Pending main=waiting(ContainerCreating)")
}

func TestTellsWhatLastedShortly(t *testing.T) {
	kubelet := Recording{States: []State{{"phase": "Pending"}, {"phase": "Running"}}, At: []float64{0, 1.5}}
	vertlet := Recording{States: []State{{"phase": "Running"}}, At: []float64{0}}
	expect(t, compare(kubelet, vertlet), `seen: kubelet alone, briefly: phase: "Pending"`, "order: kubelet alone, briefly: Pending")
}

func TestAStateThatIsWrittenAgainIsOne(t *testing.T) {
	r := Recording{States: []State{{"phase": "Pending"}, {"phase": "Pending", "startTime": "<time>"}}, At: []float64{0, 1}}
	if got := r.headlines(); len(got) != 1 {
		t.Errorf("got %v", got)
	}
}

func TestAHeadlineHasConditionsRestartsAndExitCodes(t *testing.T) {
	s := State{
		"phase": "Failed", "reason": "Evicted", "deletion": "30", "conditions.PodScheduled.status": "True",
		"conditions.Ready.status": "False", "conditions.Ready.reason": "PodFailed",
		"containers.main.state.terminated.reason": "Error", "containers.main.state.terminated.exitCode": "137", "containers.main.restartCount": "2",
	}
	if got := s.headline(); got != "Failed(Evicted) deleting(30) Ready=False(PodFailed) main=terminated(Error,137)#2" {
		t.Errorf("got %q", got)
	}
}

func TestTellsOfEventsInAnotherOrder(t *testing.T) {
	kubelet, vertlet := Recording{Events: []string{"a", "b", "c"}}, Recording{Events: []string{"b", "a", "c"}}
	expect(t, compare(kubelet, vertlet), "event: kubelet alone: a", "event: vertlet alone: a")
}

func TestAnEventThatComesAgainIsOne(t *testing.T) {
	expect(t, compare(Recording{Events: []string{"a", "b", "a"}}, Recording{Events: []string{"a", "b"}}))
}

func TestTellsOfAStepThatWaitedInVain(t *testing.T) {
	expect(t, compare(Recording{}, Recording{Missed: []string{"wait: phase: Failed"}}), "wait: vertlet alone: wait: phase: Failed")
}

func TestAReasonExplainsWhatItMatches(t *testing.T) {
	reasons := []*Reason{{Name: "users", Cases: []string{"run*"}, Match: []string{`^last: .*\.user\.`}}}
	for _, reason := range reasons {
		if err := reason.compile(); err != nil {
			t.Fatal(err)
		}
	}
	user := Difference{"last", `containers.main.user.linux.uid: kubelet "0", vertlet none`}
	if open := explain(Case{Name: "runs"}, []Difference{user, {"event", "kubelet alone: x"}}, reasons).open(); len(open) != 1 {
		t.Errorf("has no reason: %v", open)
	}
	if open := explain(Case{Name: "other"}, []Difference{user}, reasons).open(); len(open) != 1 {
		t.Error("a reason counts for another case")
	}
}
