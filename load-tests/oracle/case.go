package main

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"sigs.k8s.io/yaml"
)

// image has a shell and the applets of busybox; the runtime has it under this name and under otherImage.
const (
	image      = "oracle.vertlet.dev/app:1"
	otherImage = "oracle.vertlet.dev/app:2"
	annotation = "sim.vertlet.dev/"
	// stays runs until it is asked to end, and does so at once.
	stays = "trap 'exit 0' TERM; sleep 2147483647 & wait"
)

// machine is what real sandboxes, starts and resizes take, so that simulated ones show the states between.
var machine = map[string]string{"sandbox-delay": "500ms", "start-delay": "200ms", "resize-delay": "500ms"}

// Case is one pod that both nodes run.
type Case struct {
	Name string `json:"name"`
	// Shows is one sentence for the report.
	Shows string `json:"shows"`
	// Quick cases run with --quick.
	Quick bool `json:"quick,omitempty"`
	// Alone cases disturb others on their node, and run after them.
	Alone bool `json:"alone,omitempty"`
	// Labels and Spec are the pod's. A container without an image has the oracle's; `run` is a command for `sh -c`, and one
	// without any runs until it is asked to end.
	Labels map[string]string `json:"labels,omitempty"`
	Spec   map[string]any    `json:"spec"`
	// Simulate has the annotations, without their prefix, that make a simulated container do what the real command does.
	Simulate map[string]string `json:"simulate,omitempty"`
	Steps    []Step            `json:"steps"`
}

// Step is one thing that is done or waited for; exactly one field is set.
type Step struct {
	// Other makes a pod beside the case's, which is not compared.
	Other map[string]any `json:"other,omitempty"`
	// Start makes the pod of the case: first of all, if no step says when.
	Start bool `json:"start,omitempty"`
	// Wait ends when one state has all these values, by the paths of a State; "event" is the reason of an event.
	Wait map[string]string `json:"wait,omitempty"`
	// Sleep lets time pass that nothing tells the end of.
	Sleep string `json:"sleep,omitempty"`
	// Delete deletes the pod with this grace in seconds; "default" is the pod's own.
	Delete string `json:"delete,omitempty"`
	// Evict asks for an eviction through the API.
	Evict bool `json:"evict,omitempty"`
	// Patch and Status are strategic merge patches of the pod and its status, Resize one of its resources.
	Patch  map[string]any `json:"patch,omitempty"`
	Status map[string]any `json:"status,omitempty"`
	Resize map[string]any `json:"resize,omitempty"`
	// Debug adds an ephemeral container.
	Debug map[string]any `json:"debug,omitempty"`
	// Make makes an object in the pod's namespace.
	Make map[string]any `json:"make,omitempty"`
	// Manifest writes ("write") or removes ("remove") the pod as a static pod; it is then not made through the API.
	Manifest string `json:"manifest,omitempty"`
	// Node is what happens to the program that serves the node: "stop", "continue", "kill" or "start".
	Node string `json:"node,omitempty"`
}

func (s Step) String() string {
	text, err := yaml.Marshal(s)
	if err != nil {
		return err.Error()
	}
	return strings.Join(strings.Fields(string(text)), " ")
}

// loadCases reads all cases of a folder, in the order of files and of the lists in them.
func loadCases(folder string) ([]Case, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil {
		return nil, err
	}
	sort.Strings(files)
	var cases []Case
	names := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var some []Case
		if err := yaml.UnmarshalStrict(text, &some); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for _, c := range some {
			if err := c.check(); err != nil {
				return nil, fmt.Errorf("%s: %s: %w", file, c.Name, err)
			}
			if names[c.Name] {
				return nil, fmt.Errorf("%s: %s: the name stands twice", file, c.Name)
			}
			names[c.Name] = true
			cases = append(cases, c)
		}
	}
	if len(cases) == 0 {
		return nil, fmt.Errorf("%s: has no cases", folder)
	}
	return cases, nil
}

func (c Case) check() error {
	if c.Name == "" || c.Shows == "" {
		return fmt.Errorf("name and shows must be given")
	}
	if len(c.Steps) == 0 {
		return fmt.Errorf("has no steps")
	}
	for i, step := range c.Steps {
		text, err := yaml.Marshal(step)
		if err != nil {
			return err
		}
		var set map[string]any
		if err := yaml.Unmarshal(text, &set); err != nil {
			return err
		}
		if len(set) != 1 {
			return fmt.Errorf("step %d: must say one thing", i+1)
		}
		if _, err := step.pause(); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return nil
}

func (s Step) pause() (time.Duration, error) {
	if s.Sleep == "" {
		return 0, nil
	}
	return time.ParseDuration(s.Sleep)
}

// static is whether the pod comes from a manifest.
func (c Case) static() bool {
	for _, step := range c.Steps {
		if step.Manifest != "" {
			return true
		}
	}
	return false
}

// startsItself is whether a step says when the pod is made.
func (c Case) startsItself() bool {
	for _, step := range c.Steps {
		if step.Start {
			return true
		}
	}
	return c.static()
}

// pod is what is made on a side.
func (c Case) pod(s Side) map[string]any {
	p := makePod(s, c.Name, c.Spec)
	metadata := p["metadata"].(map[string]any)
	if len(c.Labels) > 0 {
		metadata["labels"] = c.Labels
	}
	if s.Simulated {
		annotations := map[string]any{}
		for _, settings := range []map[string]string{machine, c.Simulate} {
			for setting, value := range settings {
				annotations[annotation+setting] = value
			}
		}
		metadata["annotations"] = annotations
	}
	if c.static() {
		delete(p["spec"].(map[string]any), "nodeName")
	}
	return p
}

func makePod(s Side, name string, spec map[string]any) map[string]any {
	complete := map[string]any{"nodeName": s.Node}
	for key, value := range spec {
		complete[key] = value
	}
	for _, key := range []string{"initContainers", "containers"} {
		if list, ok := complete[key].([]any); ok {
			complete[key] = completeContainers(list)
		}
	}
	return map[string]any{
		"apiVersion": "v1",
		"kind":       "Pod",
		"metadata":   map[string]any{"name": name, "namespace": s.Namespace},
		"spec":       complete,
	}
}

func completeContainers(list []any) []any {
	var complete []any
	for _, each := range list {
		complete = append(complete, completeContainer(each.(map[string]any)))
	}
	return complete
}

func completeContainer(short map[string]any) map[string]any {
	container := map[string]any{"image": image, "imagePullPolicy": "IfNotPresent", "command": shell(stays)}
	for key, value := range short {
		if key == "run" {
			container["command"] = shell(value)
		} else {
			container[key] = value
		}
	}
	return container
}

func shell(script any) []any {
	return []any{"sh", "-c", script}
}
