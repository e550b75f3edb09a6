package main

import (
	"runtime"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// nodeNamed is the node to register; the status of one that exists already is made to match.
func nodeNamed(name string) *corev1.Node {
	much := corev1.ResourceList{
		corev1.ResourceCPU:    resource.MustParse("1000"),
		corev1.ResourceMemory: resource.MustParse("1Ti"),
		corev1.ResourcePods:   resource.MustParse("100000"),
	}
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{
			Name: name,
			Labels: map[string]string{
				"type":                 "virtual-kubelet",
				"kubernetes.io/role":   "agent",
				corev1.LabelHostname:   name,
				corev1.LabelOSStable:   "linux",
				corev1.LabelArchStable: runtime.GOARCH,
			},
		},
		Status: corev1.NodeStatus{
			Phase:       corev1.NodePending,
			NodeInfo:    corev1.NodeSystemInfo{OperatingSystem: "linux", Architecture: runtime.GOARCH},
			Capacity:    much,
			Allocatable: much,
			Conditions: []corev1.NodeCondition{
				condition(corev1.NodeReady, corev1.ConditionFalse),
				condition(corev1.NodeMemoryPressure, corev1.ConditionFalse),
				condition(corev1.NodeDiskPressure, corev1.ConditionFalse),
				condition(corev1.NodePIDPressure, corev1.ConditionFalse),
				condition(corev1.NodeNetworkUnavailable, corev1.ConditionFalse),
			},
		},
	}
}

// becomeReady is a copy of a node that says so.
func becomeReady(node *corev1.Node) *corev1.Node {
	changed := node.DeepCopy()
	changed.Status.Phase = corev1.NodeRunning
	changed.Status.Conditions[0] = condition(corev1.NodeReady, corev1.ConditionTrue)
	return changed
}

func condition(kind corev1.NodeConditionType, status corev1.ConditionStatus) corev1.NodeCondition {
	now := metav1.Now()
	return corev1.NodeCondition{Type: kind, Status: status, LastHeartbeatTime: now, LastTransitionTime: now}
}
