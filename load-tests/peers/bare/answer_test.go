package main

import (
	"encoding/json"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

var now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func TestPendingPodBecomesReady(t *testing.T) {
	pod := podOn("load-node-0")

	one, needed := podWrite(pod, "load", now)

	if !needed || one.resource != "pods" || one.namespace != "space" || one.name != "pod" || one.uid != "u1" {
		t.Fatalf("needed %v, write %+v", needed, one)
	}
	patched := apply(t, pod, one.patch)
	if patched.Status.Phase != corev1.PodRunning || !isReady(patched) || patched.Status.PodIP == "" {
		t.Errorf("status is %+v", patched.Status)
	}
	containers := patched.Status.ContainerStatuses
	if len(containers) != 1 || containers[0].Name != "main" || !containers[0].Ready ||
		containers[0].State.Running == nil || !containers[0].State.Running.StartedAt.Time.Equal(now) {
		t.Errorf("containers are %+v", containers)
	}
}

func TestReadyPodNeedsNothing(t *testing.T) {
	pod := podOn("load-node-0")
	one, _ := podWrite(pod, "load", now)

	if again, needed := podWrite(apply(t, pod, one.patch), "load", now); needed {
		t.Errorf("write is %+v", again)
	}
}

func TestDeletedPodIsRemoved(t *testing.T) {
	pod := podOn("load-node-0")
	pod.DeletionTimestamp = &metav1.Time{Time: now}

	one, needed := podWrite(pod, "load", now)

	if !needed || one.patch != nil || one.uid != "u1" {
		t.Errorf("needed %v, write %+v", needed, one)
	}
}

func TestPodBeingRemovedNeedsNothing(t *testing.T) {
	pod := podOn("load-node-0")
	pod.DeletionTimestamp = &metav1.Time{Time: now}
	pod.DeletionGracePeriodSeconds = new(int64)

	if one, needed := podWrite(pod, "load", now); needed {
		t.Errorf("write is %+v", one)
	}
}

func TestPodOfAnotherNodeIsLeftAlone(t *testing.T) {
	if one, needed := podWrite(podOn("other-node-0"), "load", now); needed {
		t.Errorf("write is %+v", one)
	}
}

func TestNodeBecomesReadyOnce(t *testing.T) {
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "load-node-0", UID: "u2"}}

	one, needed := nodeWrite(node)

	if !needed || one.resource != "nodes" || one.namespace != "" || one.name != "load-node-0" {
		t.Fatalf("needed %v, write %+v", needed, one)
	}
	patched := apply(t, node, one.patch)
	if again, needed := nodeWrite(patched); needed {
		t.Errorf("Ready node %+v needs %+v", patched.Status, again)
	}
}

func podOn(node string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "space", Name: "pod", UID: "u1"},
		Spec:       corev1.PodSpec{NodeName: node, Containers: []corev1.Container{{Name: "main", Image: "pause"}}},
		Status:     corev1.PodStatus{Phase: corev1.PodPending},
	}
}

func isReady(pod *corev1.Pod) bool {
	for _, one := range pod.Status.Conditions {
		if one.Type == corev1.PodReady {
			return one.Status == corev1.ConditionTrue
		}
	}
	return false
}

// apply does to an object what the API server would.
func apply[T any](t *testing.T, object *T, patch []byte) *T {
	t.Helper()
	before, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	after, err := strategicpatch.StrategicMergePatch(before, patch, object)
	if err != nil {
		t.Fatal(err)
	}
	patched := new(T)
	if err := json.Unmarshal(after, patched); err != nil {
		t.Fatal(err)
	}
	return patched
}
