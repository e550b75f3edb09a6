package main

import (
	"context"
	"fmt"
	"path"
	"time"

	"github.com/virtual-kubelet/virtual-kubelet/node"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/util/workqueue"
)

const (
	// As cmd/virtual-kubelet has it.
	resync = time.Minute

	// What each queue waits before a pod's first, second, … try. virtual-kubelet's own limiter has the same, and
	// ten pods per second beside it.
	firstDelay = 5 * time.Millisecond
	lastDelay  = 1000 * time.Second
)

// run serves the node until ctx ends or a controller does. The node starts as not Ready and becomes Ready once its
// pods are listed, as with cmd/virtual-kubelet.
func run(ctx context.Context, o options) error {
	client, err := connect(o.kubeconfig)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()

	events := record.NewBroadcaster()
	defer events.Shutdown()
	events.StartRecordingToSink(&corev1client.EventSinkImpl{Interface: client.CoreV1().Events(metav1.NamespaceAll)})
	source := corev1.EventSource{Component: path.Join(o.node, "pod-controller")}

	pods, err := podController(ctx, client, o.node, events.NewRecorder(scheme.Scheme, source))
	if err != nil {
		return fmt.Errorf("cannot make the pod controller: %w", err)
	}
	go pods.Run(ctx, o.workers) //nolint:errcheck // Err has it
	if err := ready(ctx, pods); err != nil {
		return fmt.Errorf("the pod controller did not start: %w", err)
	}

	provider := node.NewNaiveNodeProvider()
	object := nodeNamed(o.node)
	nodes, err := node.NewNodeController(provider, object, client.CoreV1().Nodes(),
		node.WithNodeEnableLeaseV1(
			client.CoordinationV1().Leases(corev1.NamespaceNodeLease), node.DefaultLeaseDuration))
	if err != nil {
		return fmt.Errorf("cannot make the node controller: %w", err)
	}
	go nodes.Run(ctx) //nolint:errcheck // Err has it
	if err := ready(ctx, nodes); err != nil {
		return fmt.Errorf("the node controller did not start: %w", err)
	}
	if err := provider.UpdateStatus(ctx, becomeReady(object)); err != nil {
		return fmt.Errorf("cannot make the node Ready: %w", err)
	}

	select {
	case <-pods.Done():
	case <-nodes.Done():
	}
	cancel()
	<-pods.Done()
	<-nodes.Done()
	if err := pods.Err(); err != nil {
		return err
	}
	return nodes.Err()
}

// controller is what both controllers of virtual-kubelet have in common.
type controller interface {
	Ready() <-chan struct{}
	Done() <-chan struct{}
	Err() error
}

func ready(ctx context.Context, one controller) error {
	select {
	case <-one.Ready():
		return nil
	case <-one.Done():
		return one.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

func connect(kubeconfig string) (kubernetes.Interface, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, fmt.Errorf("cannot use the kubeconfig %s: %w", kubeconfig, err)
	}
	config.QPS = -1 // no limit; cmd/virtual-kubelet leaves client-go's 5 per second
	return kubernetes.NewForConfig(config)
}

// podController watches what cmd/virtual-kubelet watches: the node's pods, and all services, config maps and secrets.
func podController(
	ctx context.Context, client kubernetes.Interface, name string, recorder record.EventRecorder,
) (*node.PodController, error) {
	onNode := informers.NewSharedInformerFactoryWithOptions(client, resync,
		informers.WithTweakListOptions(func(options *metav1.ListOptions) {
			options.FieldSelector = fields.OneTermEqualSelector("spec.nodeName", name).String()
		}))
	others := informers.NewSharedInformerFactory(client, resync)
	core := others.Core().V1()
	pods, err := node.NewPodController(node.PodControllerConfig{
		PodClient:                            client.CoreV1(),
		EventRecorder:                        recorder,
		Provider:                             newProvider(),
		PodInformer:                          onNode.Core().V1().Pods(),
		SecretInformer:                       core.Secrets(),
		ConfigMapInformer:                    core.ConfigMaps(),
		ServiceInformer:                      core.Services(),
		SyncPodsFromKubernetesRateLimiter:    failuresOnly(),
		DeletePodsFromKubernetesRateLimiter:  failuresOnly(),
		SyncPodStatusFromProviderRateLimiter: failuresOnly(),
	})
	if err != nil {
		return nil, err
	}
	onNode.Start(ctx.Done())
	others.Start(ctx.Done())
	return pods, nil
}

func failuresOnly() workqueue.TypedRateLimiter[any] {
	return workqueue.NewTypedItemExponentialFailureRateLimiter[any](firstDelay, lastDelay)
}
