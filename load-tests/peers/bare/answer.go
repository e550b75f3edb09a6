package main

import (
	"encoding/json"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// podIP is reported for every pod: nothing listens on it.
const podIP = "10.0.0.1"

// The parts of a status that are written. The API's own types would write each field they have as null, which
// a server has to merge too.
type (
	statusPatch struct {
		Metadata metadata `json:"metadata"`
		Status   any      `json:"status"`
	}
	// A patch for another object of the same name is refused as a conflict.
	metadata struct {
		UID types.UID `json:"uid"`
	}
	condition struct {
		Type   string      `json:"type"`
		Status string      `json:"status"`
		Reason string      `json:"reason,omitempty"`
		Since  metav1.Time `json:"lastTransitionTime"`
	}
	nodeStatus struct {
		Conditions []condition `json:"conditions"`
	}
	podStatus struct {
		Phase      corev1.PodPhase `json:"phase"`
		Conditions []condition     `json:"conditions"`
		Containers []container     `json:"containerStatuses"`
		PodIP      string          `json:"podIP"`
		PodIPs     []corev1.PodIP  `json:"podIPs"`
		StartTime  metav1.Time     `json:"startTime"`
	}
	container struct {
		Name         string `json:"name"`
		Image        string `json:"image"`
		ImageID      string `json:"imageID"`
		Ready        bool   `json:"ready"`
		Started      bool   `json:"started"`
		RestartCount int    `json:"restartCount"`
		State        state  `json:"state"`
	}
	state struct {
		Running corev1.ContainerStateRunning `json:"running"`
	}
)

// nodeWrite is what makes a node Ready that is not.
func nodeWrite(node *corev1.Node) (write, bool) {
	for _, one := range node.Status.Conditions {
		if one.Type == corev1.NodeReady && one.Status == corev1.ConditionTrue {
			return write{}, false
		}
	}
	ready := condition{Type: string(corev1.NodeReady), Status: "True", Reason: "Bare", Since: metav1.Now()}
	return write{
		resource: nodes,
		name:     node.Name,
		uid:      node.UID,
		patch:    encode(node.UID, nodeStatus{Conditions: []condition{ready}}),
	}, true
}

// podWrite is what a pod on a node of the load needs: its status as long as it is Pending, its removal once it is
// being deleted, else nothing.
func podWrite(pod *corev1.Pod, prefix string, now time.Time) (write, bool) {
	one := write{resource: pods, namespace: pod.Namespace, name: pod.Name, uid: pod.UID}
	switch {
	case !strings.HasPrefix(pod.Spec.NodeName, prefix):
		return write{}, false
	case pod.DeletionTimestamp != nil:
		return one, !beingRemoved(pod)
	case pod.Status.Phase == corev1.PodPending:
		one.patch = encode(pod.UID, running(pod, metav1.NewTime(now)))
		return one, true
	default:
		return write{}, false
	}
}

// beingRemoved tells a version that the API server itself makes of a deleted pod: it shortens the grace to none when it
// is asked for the removal, and then removes it.
func beingRemoved(pod *corev1.Pod) bool {
	return pod.DeletionGracePeriodSeconds != nil && *pod.DeletionGracePeriodSeconds == 0
}

func running(pod *corev1.Pod, now metav1.Time) podStatus {
	status := podStatus{
		Phase:     corev1.PodRunning,
		PodIP:     podIP,
		PodIPs:    []corev1.PodIP{{IP: podIP}},
		StartTime: now,
	}
	for _, kind := range []corev1.PodConditionType{corev1.PodInitialized, corev1.PodReady, corev1.ContainersReady} {
		status.Conditions = append(status.Conditions, condition{Type: string(kind), Status: "True", Since: now})
	}
	for _, one := range pod.Spec.Containers {
		status.Containers = append(status.Containers, container{
			Name:    one.Name,
			Image:   one.Image,
			Ready:   true,
			Started: true,
			State:   state{Running: corev1.ContainerStateRunning{StartedAt: now}},
		})
	}
	return status
}

func encode(uid types.UID, status any) []byte {
	patch, err := json.Marshal(statusPatch{Metadata: metadata{UID: uid}, Status: status})
	if err != nil {
		panic(err) // only types that JSON cannot hold fail, and these it can
	}
	return patch
}
