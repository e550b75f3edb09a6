package main

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// connect makes a client of the core group alone: client-go's clientset links every other API too, and compiles as long.
func connect(kubeconfig string) (rest.Interface, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, fmt.Errorf("cannot use the kubeconfig %s: %w", kubeconfig, err)
	}
	known := runtime.NewScheme()
	if err := corev1.AddToScheme(known); err != nil {
		return nil, fmt.Errorf("cannot use the types of core/v1: %w", err)
	}
	// ListOptions and DeleteOptions
	metav1.AddToGroupVersion(known, metav1.SchemeGroupVersion)
	config.APIPath = "/api"
	config.GroupVersion = &corev1.SchemeGroupVersion
	config.NegotiatedSerializer = serializer.NewCodecFactory(known).WithoutConversion()
	// It costs both sides less than JSON.
	config.ContentType = runtime.ContentTypeProtobuf
	config.AcceptContentTypes = runtime.ContentTypeProtobuf
	// No limit of requests per second of client-go's own.
	config.QPS = -1
	return rest.RESTClientFor(config)
}
