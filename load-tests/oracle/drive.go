package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/yaml"
)

const (
	// A wait in vain is a difference and no end of the run. The longest of a case is for a node that is away.
	patience = 150 * time.Second
	// Events of the last state come after it: a kubelet's broadcaster and its status manager are two queues.
	settling = 3 * time.Second
	polling  = 50 * time.Millisecond
)

// Side is one of the two nodes and the namespace of its pods.
type Side struct {
	Node      string
	Namespace string
	// Simulated pods get the annotations of their case.
	Simulated bool
	// Manifests is the directory of the node's static pods.
	Manifests string
	// Program serves the node.
	Program *Program
	// Places are its directories, in requests to its runtime.
	Places []Place
	// Calls are those of its runtime where they are recorded, else nil.
	Calls *CallLog
}

// Driver runs cases on one side.
type Driver struct {
	client   dynamic.Interface
	side     Side
	recorder *Recorder
}

// run does the steps of a case and returns what was recorded meanwhile. It removes the pod.
func (d Driver) run(ctx context.Context, c Case) (Recording, error) {
	d.recorder.forget(c.Name)
	if d.side.Calls != nil {
		d.side.Calls.forget(c.Name)
	}
	defer d.remove(ctx, c)
	if !c.startsItself() {
		if err := d.create(ctx, c.pod(d.side)); err != nil {
			return Recording{}, err
		}
	}
	var missed []string
	from := 0
	for _, step := range c.Steps {
		next, reached, err := d.step(ctx, c, step, from)
		if err != nil {
			return Recording{}, fmt.Errorf("%s on %s: %v: %w", c.Name, d.side.Node, step, err)
		}
		if !reached {
			missed = append(missed, step.String())
			break
		}
		from = next
	}
	if err := sleep(ctx, settling); err != nil {
		return Recording{}, err
	}
	recording := d.recorder.recording(c.Name)
	recording.Missed = missed
	return recording, nil
}

// step does one thing; false if it waited in vain.
func (d Driver) step(ctx context.Context, c Case, s Step, from int) (int, bool, error) {
	switch {
	case s.Wait != nil:
		return d.wait(ctx, c.Name, s.Wait, from)
	case s.Sleep != "":
		pause, err := s.pause()
		if err != nil {
			return from, false, err
		}
		return from, true, sleep(ctx, pause)
	case s.Node != "":
		return from, true, d.side.Program.do(s.Node)
	case s.Manifest != "":
		return from, true, d.manifest(c, s.Manifest)
	}
	return from, true, d.request(ctx, c, s)
}

func (d Driver) wait(ctx context.Context, name string, wanted map[string]string, from int) (int, bool, error) {
	for end := time.Now().Add(patience); time.Now().Before(end); {
		next, reached, err := d.recorder.reached(name, wanted, from)
		if reached || err != nil {
			return next, reached, err
		}
		if err := sleep(ctx, polling); err != nil {
			return from, false, err
		}
	}
	return from, false, nil
}

func sleep(ctx context.Context, pause time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(pause):
		return nil
	}
}

func (d Driver) request(ctx context.Context, c Case, s Step) error {
	pods := d.client.Resource(podKind).Namespace(d.side.Namespace)
	switch {
	case s.Start:
		return d.create(ctx, c.pod(d.side))
	case s.Other != nil:
		return d.create(ctx, makePod(d.side, otherName(c), s.Other))
	case s.Make != nil:
		return d.make(ctx, s.Make)
	case s.Delete != "":
		return pods.Delete(ctx, c.Name, deletion(s.Delete))
	case s.Evict:
		return d.evict(ctx, c.Name)
	case s.Debug != nil:
		container := completeContainer(s.Debug)
		return d.patch(ctx, c.Name, map[string]any{"spec": map[string]any{"ephemeralContainers": []any{container}}}, "ephemeralcontainers")
	case s.Patch != nil:
		return d.patch(ctx, c.Name, s.Patch)
	case s.Status != nil:
		return d.patch(ctx, c.Name, map[string]any{"status": s.Status}, "status")
	case s.Resize != nil:
		return d.patch(ctx, c.Name, map[string]any{"spec": s.Resize}, "resize")
	}
	return fmt.Errorf("nothing to do")
}

func otherName(c Case) string {
	return c.Name + "-other"
}

func deletion(grace string) metav1.DeleteOptions {
	var seconds int64
	if grace == "default" {
		return metav1.DeleteOptions{}
	}
	if _, err := fmt.Sscan(grace, &seconds); err != nil {
		panic(err) // a mistake in a case
	}
	return metav1.DeleteOptions{GracePeriodSeconds: &seconds}
}

func (d Driver) create(ctx context.Context, pod map[string]any) error {
	object, err := plain(pod)
	if err != nil {
		return err
	}
	_, err = d.client.Resource(podKind).Namespace(d.side.Namespace).Create(ctx, object, metav1.CreateOptions{})
	return err
}

// plain has numbers as JSON has them, which an unstructured object needs.
func plain(object map[string]any) (*unstructured.Unstructured, error) {
	text, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	var result unstructured.Unstructured
	return &result, result.UnmarshalJSON(text)
}

func (d Driver) make(ctx context.Context, object map[string]any) error {
	made, err := plain(object)
	if err != nil {
		return err
	}
	_, err = d.objects(made).Create(ctx, made, metav1.CreateOptions{})
	return err
}

// objects are those of the kind of what a step makes.
func (d Driver) objects(made *unstructured.Unstructured) dynamic.ResourceInterface {
	kinds := map[string]string{"ConfigMap": "configmaps", "Secret": "secrets"}
	kind := schema.GroupVersionResource{Version: "v1", Resource: kinds[made.GetKind()]}
	return d.client.Resource(kind).Namespace(d.side.Namespace)
}

func (d Driver) evict(ctx context.Context, name string) error {
	eviction, err := plain(map[string]any{
		"apiVersion": "policy/v1",
		"kind":       "Eviction",
		"metadata":   map[string]any{"name": name, "namespace": d.side.Namespace},
	})
	if err != nil {
		return err
	}
	_, err = d.client.Resource(podKind).Namespace(d.side.Namespace).Create(ctx, eviction, metav1.CreateOptions{}, "eviction")
	return err
}

// patch tries again after a conflict, which a status that was written meanwhile makes.
func (d Driver) patch(ctx context.Context, name string, patch map[string]any, subresource ...string) error {
	text, err := json.Marshal(patch)
	if err != nil {
		return err
	}
	for {
		_, err := d.client.Resource(podKind).Namespace(d.side.Namespace).
			Patch(ctx, name, types.StrategicMergePatchType, text, metav1.PatchOptions{}, subresource...)
		if !apierrors.IsConflict(err) {
			return err
		}
	}
}

// manifest renames a complete file into its place: a node reads a directory whenever it likes.
func (d Driver) manifest(c Case, what string) error {
	file := filepath.Join(d.side.Manifests, c.Name+".yaml")
	if what == "remove" {
		return os.Remove(file)
	}
	text, err := yaml.Marshal(c.pod(d.side))
	if err != nil {
		return err
	}
	hidden := filepath.Join(d.side.Manifests, "."+c.Name)
	if err := os.WriteFile(hidden, text, 0o644); err != nil {
		return err
	}
	return os.Rename(hidden, file)
}

// remove makes room for the next case, whatever became of this one, and waits until the pods have gone.
func (d Driver) remove(ctx context.Context, c Case) {
	if c.static() {
		_ = os.Remove(filepath.Join(d.side.Manifests, c.Name+".yaml"))
	}
	pods := d.client.Resource(podKind).Namespace(d.side.Namespace)
	for _, name := range []string{c.Name, otherName(c)} {
		_ = pods.Delete(ctx, name, deletion("1"))
	}
	for _, step := range c.Steps { // else a case that runs once more would find what comes late
		if made, err := plain(step.Make); err == nil && step.Make != nil {
			_ = d.objects(made).Delete(ctx, made.GetName(), metav1.DeleteOptions{})
		}
	}
	for _, name := range []string{c.Name, otherName(c)} {
		for end := time.Now().Add(patience); time.Now().Before(end); {
			if _, err := pods.Get(ctx, name, metav1.GetOptions{}); err != nil {
				break
			}
			if sleep(ctx, polling) != nil {
				return
			}
		}
	}
}
