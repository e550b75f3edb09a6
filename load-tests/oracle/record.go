package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
)

var (
	podKind   = schema.GroupVersionResource{Version: "v1", Resource: "pods"}
	eventKind = schema.GroupVersionResource{Version: "v1", Resource: "events"}
	nodeKind  = schema.GroupVersionResource{Version: "v1", Resource: "nodes"}
	spaceKind = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
)

// watchTime is beyond every run: a watch that ends before its recorder does has lost something.
const watchTime = int64(6 * time.Hour / time.Second)

// Recorder keeps every watch event of the pods of one side, and every Event about them.
type Recorder struct {
	side Side

	mutex sync.Mutex
	pods  map[string]*podLog
	err   error
}

type podLog struct {
	began      time.Time
	changed    time.Time
	normaliser *Normaliser
	raw        []watch.Event
	states     []State
	at         []float64
	events     []string
	reasons    map[string]bool
}

// record watches a namespace until the context ends.
func record(ctx context.Context, client dynamic.Interface, s Side) (*Recorder, error) {
	r := &Recorder{side: s, pods: map[string]*podLog{}}
	for _, kind := range []schema.GroupVersionResource{podKind, eventKind} {
		resource := client.Resource(kind).Namespace(s.Namespace)
		list, err := resource.List(ctx, metav1.ListOptions{})
		if err != nil {
			return nil, err
		}
		timeout := watchTime
		watched, err := resource.Watch(ctx, metav1.ListOptions{
			ResourceVersion: list.GetResourceVersion(), TimeoutSeconds: &timeout})
		if err != nil {
			return nil, err
		}
		go r.follow(ctx, kind.Resource, watched)
	}
	return r, nil
}

func (r *Recorder) follow(ctx context.Context, kind string, watched watch.Interface) {
	defer watched.Stop()
	for event := range watched.ResultChan() {
		object, ok := event.Object.(*unstructured.Unstructured)
		if !ok || event.Type == watch.Error {
			r.fail(fmt.Errorf("the watch of %s has an error: %v", kind, event.Object))
			return
		}
		r.add(event, object)
	}
	if ctx.Err() == nil {
		r.fail(fmt.Errorf("the watch of %s has ended", kind))
	}
}

func (r *Recorder) fail(err error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.err == nil {
		r.err = err
	}
}

func (r *Recorder) add(event watch.Event, object *unstructured.Unstructured) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if object.GetKind() == "Pod" {
		pod := r.log(object.GetName())
		pod.raw = append(pod.raw, event)
		pod.changed = time.Now()
		if len(pod.states) == 0 {
			pod.began = pod.changed
		}
		pod.at = append(pod.at, pod.changed.Sub(pod.began).Round(10*time.Millisecond).Seconds())
		pod.states = append(pod.states, pod.normaliser.state(object.Object, event.Type == watch.Deleted))
		return
	}
	kind, _, _ := unstructured.NestedString(object.Object, "involvedObject", "kind")
	name, _, _ := unstructured.NestedString(object.Object, "involvedObject", "name")
	if kind != "Pod" || event.Type == watch.Deleted {
		return
	}
	pod := r.log(name)
	pod.raw = append(pod.raw, event)
	pod.events = append(pod.events, pod.normaliser.event(object.Object))
	reason, _, _ := unstructured.NestedString(object.Object, "reason")
	pod.reasons[reason] = true
}

// log is the one of a pod; that of a static pod has the node's name behind it.
func (r *Recorder) log(name string) *podLog {
	name = strings.TrimSuffix(name, "-"+r.side.Node)
	if r.pods[name] == nil {
		r.pods[name] = &podLog{normaliser: newNormaliser(r.side), reasons: map[string]bool{}}
	}
	return r.pods[name]
}

// reached is whether a state that is not before the given index shows all these values, and where the next one begins.
func (r *Recorder) reached(name string, wanted map[string]string, from int) (int, bool, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.err != nil {
		return from, false, r.err
	}
	pod := r.log(name)
	values := map[string]string{}
	for path, value := range wanted {
		if path != "event" {
			values[path] = value
		} else if !pod.reasons[value] {
			return from, false, nil
		}
	}
	if len(values) == 0 {
		return from, true, nil
	}
	for i := from; i < len(pod.states); i++ {
		if pod.states[i].shows(values) {
			return i, true, nil
		}
	}
	return from, false, nil
}

func (s State) shows(values map[string]string) bool {
	for path, value := range values {
		if s[path] != value {
			return false
		}
	}
	return true
}

// forget begins a pod's recording anew.
func (r *Recorder) forget(name string) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	delete(r.pods, name)
}

// recording is what was kept of a pod so far.
func (r *Recorder) recording(name string) Recording {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	pod := r.log(name)
	return Recording{
		Case:   name,
		States: append([]State(nil), pod.states...),
		At:     append([]float64(nil), pod.at...),
		Events: append([]string(nil), pod.events...),
	}
}

// keep writes what the API server sent of a pod, for people who look for the reason of a difference.
func (r *Recorder) keep(folder, name string) error {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	var objects []any
	for _, event := range r.log(name).raw {
		objects = append(objects, map[string]any{"type": event.Type, "object": event.Object})
	}
	return writeJSON(filepath.Join(folder, name+"."+r.side.Node+".json"), objects)
}

func writeJSON(file string, value any) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // for people, who read <time>
	encoder.SetIndent("", " ")
	if err := encoder.Encode(value); err != nil {
		return err
	}
	return os.WriteFile(file, text.Bytes(), 0o644)
}

// stored is a Recording with what each state changes, which is short and can be read.
type stored struct {
	Case   string        `json:"case"`
	States []storedState `json:"states"`
	Events []string      `json:"events"`
	Missed []string      `json:"missed,omitempty"`
}

type storedState struct {
	At float64 `json:"at"`
	// Changes are the new values; null is that of a path that is no more.
	Changes map[string]*string `json:"changes"`
}

func (r Recording) write(folder string) error {
	s := stored{Case: r.Case, Events: once(r.Events), Missed: r.Missed}
	before := State{}
	for i, state := range r.States {
		changes := map[string]*string{}
		for path, value := range state {
			if old, there := before[path]; !there || old != value {
				changes[path] = &value
			}
		}
		for path := range before {
			if _, there := state[path]; !there {
				changes[path] = nil
			}
		}
		if len(changes) > 0 {
			s.States = append(s.States, storedState{r.At[i], changes})
		}
		before = state
	}
	return writeJSON(filepath.Join(folder, r.Case+".json"), s)
}

func readRecording(folder, name string) (Recording, error) {
	text, err := os.ReadFile(filepath.Join(folder, name+".json"))
	if err != nil {
		return Recording{}, err
	}
	var s stored
	if err := json.Unmarshal(text, &s); err != nil {
		return Recording{}, fmt.Errorf("%s: %w", name, err)
	}
	r := Recording{Case: s.Case, Events: s.Events, Missed: s.Missed}
	before := State{}
	for _, each := range s.States {
		state := State{}
		for path, value := range before {
			state[path] = value
		}
		for path, value := range each.Changes {
			if value == nil {
				delete(state, path)
			} else {
				state[path] = *value
			}
		}
		r.States = append(r.States, state)
		r.At = append(r.At, each.At)
		before = state
	}
	return r, nil
}
