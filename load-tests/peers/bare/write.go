package main

import (
	"context"
	"errors"
	"log"
	"net/http"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
)

const (
	// Longer than any burst of a load test on one machine; when it is full, the watches wait.
	queueLength = 1 << 16

	// client-go has waited and tried again by itself when a server asked for it; this is for the rest.
	retryAfter = time.Second
)

// write is one request that changes a node or a pod.
type write struct {
	resource  string
	namespace string // "" for a node
	name      string
	uid       types.UID
	patch     []byte // of the status; nil: delete at once
}

// writer sends writes, as many at a time as goroutines run it.
type writer struct {
	client rest.Interface
	queue  chan write
}

func newWriter(client rest.Interface) *writer {
	return &writer{client: client, queue: make(chan write, queueLength)}
}

func (w *writer) add(ctx context.Context, one write) {
	select {
	case w.queue <- one:
	case <-ctx.Done():
	}
}

// run sends what is queued, one after the other, until ctx ends.
func (w *writer) run(ctx context.Context) {
	for {
		select {
		case one := <-w.queue:
			w.persist(ctx, one)
		case <-ctx.Done():
			return
		}
	}
}

// persist sends a write until it succeeds or never will.
func (w *writer) persist(ctx context.Context, one write) {
	for {
		err := w.send(ctx, one)
		if err == nil || outdated(err) || ctx.Err() != nil {
			return
		}
		log.Printf("bare: %s %s: %v", one.resource, one.name, err)
		if !passing(err) {
			return
		}
		select {
		case <-time.After(retryAfter):
		case <-ctx.Done():
			return
		}
	}
}

// outdated tells whether the object has gone, or another one has its name: the watch has shown it or will do.
func outdated(err error) bool {
	return apierrors.IsNotFound(err) || apierrors.IsConflict(err)
}

// passing tells whether the same request may succeed later: no answer came, or the server was at fault or busy.
func passing(err error) bool {
	var refused apierrors.APIStatus
	if !errors.As(err, &refused) {
		return true
	}
	code := refused.Status().Code
	return code >= http.StatusInternalServerError || code == http.StatusTooManyRequests
}

// send leaves the object in the answer undecoded.
func (w *writer) send(ctx context.Context, one write) error {
	if one.patch == nil {
		return w.client.Delete().
			NamespaceIfScoped(one.namespace, one.namespace != "").
			Resource(one.resource).
			Name(one.name).
			Body(&metav1.DeleteOptions{GracePeriodSeconds: new(int64), Preconditions: &metav1.Preconditions{UID: &one.uid}}).
			Do(ctx).
			Error()
	}
	return w.client.Patch(types.StrategicMergePatchType).
		NamespaceIfScoped(one.namespace, one.namespace != "").
		Resource(one.resource).
		Name(one.name).
		SubResource("status").
		Body(one.patch).
		Do(ctx).
		Error()
}
