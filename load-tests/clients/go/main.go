// main WIRE KUBECONFIG NAMESPACE POD CONTAINER CONFIGMAP: what people write with client-go; WIRE of exec is websocket or spdy.
package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"

	core "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typed "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/remotecommand"
	utilexec "k8s.io/client-go/util/exec"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, arguments []string) error {
	wire, namespace, pod, container, name := arguments[0], arguments[2], arguments[3], arguments[4], arguments[5]
	config, err := clientcmd.BuildConfigFromFlags("", arguments[1])
	if err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	pods, err := client.CoreV1().Pods(namespace).List(ctx, meta.ListOptions{})
	if err != nil {
		return err
	}
	found := false
	for _, each := range pods.Items {
		found = found || each.Name == pod
	}
	fmt.Println("list", found)
	if err := follow(ctx, client.CoreV1().ConfigMaps(namespace), name); err != nil {
		return err
	}
	request := client.CoreV1().RESTClient().Post().Namespace(namespace).Resource("pods").Name(pod).SubResource("exec").
		VersionedParams(&core.PodExecOptions{
			Container: container,
			Command:   []string{"sh", "-c", "echo out; echo err >&2; exit 3"},
			Stdout:    true,
			Stderr:    true,
		}, scheme.ParameterCodec)
	if err := execute(ctx, config, wire, request); err != nil {
		return err
	}
	log, err := client.CoreV1().Pods(namespace).GetLogs(pod, &core.PodLogOptions{Container: container, Follow: true}).Stream(ctx)
	if err != nil {
		return err
	}
	defer log.Close()
	lines := bufio.NewScanner(log)
	read := 0
	for read < 5 && lines.Scan() {
		read++
	}
	fmt.Println("logs", read)
	return nil
}

func follow(ctx context.Context, maps typed.ConfigMapInterface, name string) error {
	object := &core.ConfigMap{ObjectMeta: meta.ObjectMeta{Name: name}, Data: map[string]string{"a b": "c"}}
	_, err := maps.Create(ctx, object, meta.CreateOptions{})
	var refused apierrors.APIStatus
	if errors.As(err, &refused) {
		fmt.Println("refused", refused.Status().Code)
	}
	events, err := maps.Watch(ctx, meta.ListOptions{FieldSelector: "metadata.name=" + name})
	if err != nil {
		return err
	}
	defer events.Stop()
	object.Data = map[string]string{"key": "value"}
	if _, err := maps.Create(ctx, object, meta.CreateOptions{}); err != nil {
		return err
	}
	patched, err := maps.Patch(ctx, name, types.MergePatchType, []byte(`{"data":{"key":"patched"}}`), meta.PatchOptions{})
	if err != nil {
		return err
	}
	fmt.Println("patch", patched.Data["key"])
	if err := maps.Delete(ctx, name, meta.DeleteOptions{}); err != nil {
		return err
	}
	var seen []string
	for event := range events.ResultChan() {
		if seen = append(seen, string(event.Type)); len(seen) == 3 {
			break
		}
	}
	fmt.Println("watch", strings.Join(seen, " "))
	return nil
}

func execute(ctx context.Context, config *rest.Config, wire string, request *rest.Request) error {
	var executor remotecommand.Executor
	var err error
	if wire == "websocket" {
		executor, err = remotecommand.NewWebSocketExecutor(config, http.MethodGet, request.URL().String())
	} else {
		executor, err = remotecommand.NewSPDYExecutor(config, http.MethodPost, request.URL())
	}
	if err != nil {
		return err
	}
	var out, errors bytes.Buffer
	err = executor.StreamWithContext(ctx, remotecommand.StreamOptions{Stdout: &out, Stderr: &errors})
	exit, ended := err.(utilexec.CodeExitError)
	if !ended {
		return fmt.Errorf("exec: %w", err)
	}
	fmt.Println("exec", strings.TrimSpace(out.String()), strings.TrimSpace(errors.String()), exit.Code)
	return nil
}
