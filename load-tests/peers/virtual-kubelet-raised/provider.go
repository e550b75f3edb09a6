package main

import (
	"context"
	"sync"

	"github.com/virtual-kubelet/virtual-kubelet/errdefs"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Reported for every pod: nothing listens on it.
const podIP = "10.0.0.1"

// provider runs each pod at once, in memory, and ends it at once: what virtual-kubelet's mock provider does, which
// other programs cannot import. That one has no lock around its pods.
type provider struct {
	notify func(*corev1.Pod) // set before the first pod

	lock sync.RWMutex
	pods map[string]*corev1.Pod // never changed once they are in here
}

func newProvider() *provider {
	return &provider{pods: make(map[string]*corev1.Pod)}
}

func (p *provider) NotifyPods(_ context.Context, notify func(*corev1.Pod)) {
	p.notify = notify
}

func (p *provider) CreatePod(_ context.Context, pod *corev1.Pod) error {
	started := pod.DeepCopy()
	started.Status = running(pod)
	p.keep(started)
	return nil
}

// UpdatePod takes the new specification over; what runs stays as it is.
func (p *provider) UpdatePod(_ context.Context, pod *corev1.Pod) error {
	p.keep(pod.DeepCopy())
	return nil
}

func (p *provider) DeletePod(_ context.Context, pod *corev1.Pod) error {
	p.lock.Lock()
	_, known := p.pods[key(pod.Namespace, pod.Name)]
	delete(p.pods, key(pod.Namespace, pod.Name))
	p.lock.Unlock()
	if !known {
		return errdefs.NotFoundf("pod %s/%s is not known", pod.Namespace, pod.Name)
	}
	ended := pod.DeepCopy()
	end(&ended.Status)
	p.notify(ended)
	return nil
}

func (p *provider) GetPod(_ context.Context, namespace, name string) (*corev1.Pod, error) {
	p.lock.RLock()
	defer p.lock.RUnlock()
	pod, known := p.pods[key(namespace, name)]
	if !known {
		return nil, errdefs.NotFoundf("pod %s/%s is not known", namespace, name)
	}
	return pod, nil
}

func (p *provider) GetPodStatus(ctx context.Context, namespace, name string) (*corev1.PodStatus, error) {
	pod, err := p.GetPod(ctx, namespace, name)
	if err != nil {
		return nil, err
	}
	return &pod.Status, nil
}

func (p *provider) GetPods(context.Context) ([]*corev1.Pod, error) {
	p.lock.RLock()
	defer p.lock.RUnlock()
	pods := make([]*corev1.Pod, 0, len(p.pods))
	for _, pod := range p.pods {
		pods = append(pods, pod)
	}
	return pods, nil
}

func (p *provider) keep(pod *corev1.Pod) {
	p.lock.Lock()
	p.pods[key(pod.Namespace, pod.Name)] = pod
	p.lock.Unlock()
	p.notify(pod)
}

func key(namespace, name string) string {
	return namespace + "/" + name
}

func running(pod *corev1.Pod) corev1.PodStatus {
	now := metav1.Now()
	status := corev1.PodStatus{
		Phase:     corev1.PodRunning,
		PodIP:     podIP,
		PodIPs:    []corev1.PodIP{{IP: podIP}},
		StartTime: &now,
	}
	for _, kind := range []corev1.PodConditionType{
		corev1.PodScheduled, corev1.PodInitialized, corev1.PodReady, corev1.ContainersReady,
	} {
		status.Conditions = append(status.Conditions,
			corev1.PodCondition{Type: kind, Status: corev1.ConditionTrue, LastTransitionTime: now})
	}
	for _, one := range pod.Spec.Containers {
		status.ContainerStatuses = append(status.ContainerStatuses, corev1.ContainerStatus{
			Name:  one.Name,
			Image: one.Image,
			Ready: true,
			State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: now}},
		})
	}
	return status
}

// end makes all containers of a status terminated.
func end(status *corev1.PodStatus) {
	now := metav1.Now()
	status.Phase = corev1.PodSucceeded
	for i := range status.ContainerStatuses {
		one := &status.ContainerStatuses[i]
		terminated := &corev1.ContainerStateTerminated{Reason: "Deleted", FinishedAt: now}
		if one.State.Running != nil {
			terminated.StartedAt = one.State.Running.StartedAt
		}
		one.Ready = false
		one.State = corev1.ContainerState{Terminated: terminated}
	}
}
