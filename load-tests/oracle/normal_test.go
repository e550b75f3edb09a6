package main

import (
	"encoding/json"
	"reflect"
	"testing"
)

func parsed(t *testing.T, text string) map[string]any {
	t.Helper()
	var object map[string]any
	if err := json.Unmarshal([]byte(text), &object); err != nil {
		t.Fatal(err)
	}
	return object
}

func TestTakesOutIdsTimesAndAddresses(t *testing.T) {
	n := newNormaliser(Side{Node: "node-a", Namespace: "space-a"})
	for text, wanted := range map[string]string{
		"2026-11-25T01:02:03Z": "<time>",
		"back-off 10s restarting failed container=main pod=p_space-a(0f8fad5b-d9cb-469f-a165-70867728950e)": "back-off 10s restarting failed container=main pod=p_<namespace>(<uid>)",
		`Get "http://10.1.2.3:80/": dial tcp 10.1.2.3:80: connect: connection refused`:                      `Get "http://<address>:80/": dial tcp <address>:80: connect: connection refused`,
		"read tcp 10.1.2.3:41000->10.1.2.4:80":                                                              "read tcp <address>:<port>-><address>:80",
		"dial tcp 127.0.0.1:1: refused":                                                                     "dial tcp 127.0.0.1:1: refused",
		`Successfully pulled image "i" in 12ms (1.2s including waiting). Image size: 77 bytes.`:             `Successfully pulled image "i" in <time> (<time> including waiting). Image size: <bytes> bytes.`,
		"Node didn't have enough resource: cpu, requested: 9000000, used: 100, capacity: 2000":              "Node didn't have enough resource: cpu, requested: 9000000, used: <n>, capacity: <n>",
		"pods \"p\" of node-a": "pods \"p\" of <node>",
	} {
		if got := n.text(text, ""); got != wanted {
			t.Errorf("%q: got %q", text, got)
		}
	}
}

func TestNumbersInstancesOfAContainerByTheOrderInWhichTheyCameUp(t *testing.T) {
	n := newNormaliser(Side{Node: "node-a", Namespace: "space-a"})
	got := []string{n.text("containerd://bb", "a"), n.text("containerd://aa", "a"), n.text("containerd://cc", "b"), n.text("containerd://bb", "a")}
	if !reflect.DeepEqual(got, []string{"<id 1>", "<id 2>", "<id 1>", "<id 1>"}) {
		t.Errorf("got %v", got)
	}
}

func TestFlattensAStatus(t *testing.T) {
	n := newNormaliser(Side{Node: "node-a", Namespace: "space-a"})
	pod := parsed(t, `{"metadata": {"deletionTimestamp": "2026-11-25T01:02:03Z", "deletionGracePeriodSeconds": 30}, "status": {
		"phase": "Running", "podIPs": [{"ip": "10.1.2.3"}],
		"conditions": [{"type": "Ready", "status": "True", "lastProbeTime": null, "lastTransitionTime": "2026-11-25T01:02:03Z"}],
		"containerStatuses": [{"name": "main", "imageID": "sha256:1", "ready": true, "lastState": {}, "restartCount": 1,
			"state": {"running": {"startedAt": "2026-11-25T01:02:03Z"}}}]}}`)
	wanted := State{
		"phase": "Running", "podIPs.0.ip": "<address>", "conditions.Ready.type": "Ready", "conditions.Ready.status": "True",
		"containers.main.name": "main", "containers.main.imageID": "<image>", "containers.main.ready": "true",
		"containers.main.restartCount": "1", "containers.main.state.running.startedAt": "<time>", "deletion": "30",
	}
	if got := n.state(pod, false); !reflect.DeepEqual(got, wanted) {
		t.Errorf("got %v", got)
	}
	if got := n.state(pod, true); got["gone"] != "true" {
		t.Error("does not show that it is gone")
	}
}

func TestWritesAnEventAsALine(t *testing.T) {
	n := newNormaliser(Side{Node: "node-a", Namespace: "space-a"})
	event := parsed(t, `{"type": "Warning", "reason": "BackOff", "message": "Back-off in p_space-a", "count": 3,
		"involvedObject": {"fieldPath": "spec.containers{main}"}, "source": {"component": "kubelet", "host": "node-a"}}`)
	if got := n.event(event); got != "Warning BackOff [spec.containers{main}] Back-off in p_<namespace> (kubelet)" {
		t.Errorf("got %q", got)
	}
}
