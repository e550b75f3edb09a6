package main

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

const (
	nodes = "nodes"
	pods  = "pods"
)

// watchNodes answers each version of a node of the load.
func watchNodes(ctx context.Context, client rest.Interface, selector string, writes *writer) *cache.Reflector {
	watch := cache.NewFilteredListWatchFromClient(
		client, nodes, metav1.NamespaceAll,
		func(options *metav1.ListOptions) { options.LabelSelector = selector })
	return cache.NewNamedReflector(nodes, watch, &corev1.Node{}, answers[*corev1.Node]{ctx, writes, nodeWrite}, 0)
}

// watchPods answers each version of a pod on a node of the load. A field selector cannot tell a prefix, so pods on
// other nodes arrive too and are dropped.
func watchPods(ctx context.Context, client rest.Interface, prefix string, writes *writer) *cache.Reflector {
	watch := cache.NewListWatchFromClient(
		client, pods, metav1.NamespaceAll, fields.OneTermNotEqualSelector("spec.nodeName", ""))
	answer := func(pod *corev1.Pod) (write, bool) { return podWrite(pod, prefix, time.Now()) }
	return cache.NewNamedReflector(pods, watch, &corev1.Pod{}, answers[*corev1.Pod]{ctx, writes, answer}, 0)
}

// answers is what a reflector fills in place of a cache: it keeps nothing, and queues the write that an object needs.
// A version that arrives while a write for an earlier one is under way may get a second one, which changes nothing.
type answers[T any] struct {
	ctx    context.Context // ends the wait for a place in the queue
	writes *writer
	answer func(T) (write, bool)
}

func (a answers[T]) Add(object any) error {
	if one, needed := a.answer(object.(T)); needed {
		a.writes.add(a.ctx, one)
	}
	return nil
}

func (a answers[T]) Update(object any) error { return a.Add(object) }

func (a answers[T]) Delete(any) error { return nil }

func (a answers[T]) Replace(objects []any, _ string) error {
	for _, object := range objects {
		if err := a.Add(object); err != nil {
			return err
		}
	}
	return nil
}

func (a answers[T]) Resync() error { return nil }
