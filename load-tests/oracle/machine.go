package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/clientcmd"
)

// Names that no message has for another reason: they are taken out of all texts.
const (
	kubeletNode = "node-of-the-kubelet"
	vertletNode = "node-of-vertlet"
	// of ./isolated, which gives it to the loopback interface
	kubeletAddress = "192.0.2.10"
	// of ./isolated, too
	kubeletRuntime = "/run/containerd"
	vertletRuntime = "/run/vertlet-containerd"
	runtimeSocket  = "containerd.sock"
	// recordingSocket is beside that of the runtime.
	recordingSocket = "recording.sock"
	// Of it each node has one: what asks for two of them finds no room, whatever the machine has.
	scarce = "oracle.vertlet.dev~1slot"
)

// Program is a process that can be stopped and started again.
type Program struct {
	name    string
	command []string
	log     string
	process *exec.Cmd
	ended   chan struct{}
}

func (p *Program) start() error {
	log, err := os.OpenFile(p.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer log.Close()
	p.process = exec.Command(p.command[0], p.command[1:]...)
	p.process.Stdout, p.process.Stderr = log, log
	// it goes when the oracle does, and Ctrl-C is the oracle's alone
	p.process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := p.process.Start(); err != nil {
		return err
	}
	p.ended = make(chan struct{})
	go func(process *exec.Cmd, ended chan struct{}) {
		_ = process.Wait() // the log says why
		close(ended)
	}(p.process, p.ended)
	return nil
}

// do is a step of a case.
func (p *Program) do(what string) error {
	switch what {
	case "stop":
		return p.process.Process.Signal(syscall.SIGSTOP)
	case "continue":
		return p.process.Process.Signal(syscall.SIGCONT)
	case "kill":
		return p.kill()
	case "start":
		return p.start()
	}
	return fmt.Errorf("a node cannot %q", what)
}

func (p *Program) kill() error {
	if err := p.process.Process.Kill(); err != nil {
		return err
	}
	<-p.ended
	return nil
}

// end asks, and insists after a while.
func (p *Program) end() {
	_ = p.process.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.ended:
	case <-time.After(20 * time.Second):
		_ = p.kill()
	}
}

// tail is what a program said last.
func (p *Program) tail() string {
	text, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return strings.Join(lines[max(0, len(lines)-8):], "\n")
}

// Machine is a control plane and the nodes on it.
type Machine struct {
	home    string
	work    string
	kubelet string
	// whether vertlet's pods are containers
	containers bool
	// recordCalls is whether the nodes' calls of their runtimes are kept
	recordCalls bool
	programs    []*Program
	proxies     []*Proxy
	client      dynamic.Interface
}

func (m *Machine) program(name string, command ...string) *Program {
	return &Program{name: name, command: command, log: filepath.Join(m.work, name+".log")}
}

func (m *Machine) run(ctx context.Context, p *Program, ready func() bool) error {
	if err := os.RemoveAll(p.log); err != nil {
		return err
	}
	if err := p.start(); err != nil {
		return err
	}
	m.programs = append(m.programs, p)
	for end := time.Now().Add(patience); !ready(); {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-p.ended:
			return fmt.Errorf("%s has ended:\n%s", p.name, p.tail())
		case <-time.After(polling):
		}
		if time.Now().After(end) {
			return fmt.Errorf("%s does not become ready:\n%s", p.name, p.tail())
		}
	}
	return nil
}

func (m *Machine) kubeconfig() string {
	return filepath.Join(m.work, "plane", "kubeconfig")
}

// startControlPlane is the one of the README.
func (m *Machine) startControlPlane(ctx context.Context) error {
	plane := m.program("control-plane", filepath.Join(m.home, "vertlet"), "control-plane", "--dir", filepath.Join(m.work, "plane"))
	err := m.run(ctx, plane, func() bool {
		text, err := os.ReadFile(plane.log)
		return err == nil && strings.Contains(string(text), "Ctrl-C")
	})
	if err != nil {
		return err
	}
	config, err := clientcmd.BuildConfigFromFlags("", m.kubeconfig())
	if err != nil {
		return err
	}
	config.QPS = -1
	m.client, err = dynamic.NewForConfig(config)
	return err
}

// startKubelet starts a kubelet with what ./isolated has prepared for it.
func (m *Machine) startKubelet(ctx context.Context) (Side, error) {
	s := Side{Node: kubeletNode, Namespace: "pods-of-the-kubelet", Manifests: filepath.Join(m.work, "kubelet", "manifests")}
	s.Places = []Place{{"/var/lib/kubelet/pods", "<pods>"}, {"/var/log/pods", "<logs>"}, {"/vertlet-oracle/kubepods", "<cgroups>"}}
	socket, err := m.runtime(&s, kubeletRuntime)
	if err != nil {
		return s, err
	}
	s.Program = m.program("kubelet", m.kubelet, "--config", filepath.Join(m.work, "kubelet", "config.yaml"),
		"--container-runtime-endpoint", "unix://"+socket,
		"--kubeconfig", m.kubeconfig(), "--hostname-override", kubeletNode, "--node-ip", kubeletAddress, "--v", "2")
	return s, m.startNode(ctx, s)
}

// runtime is the socket of a node's runtime, or one in front of it where calls are recorded.
func (m *Machine) runtime(s *Side, folder string) (string, error) {
	socket := filepath.Join(folder, runtimeSocket)
	if !m.recordCalls {
		return socket, nil
	}
	s.Calls = newCallLog(*s)
	front := filepath.Join(folder, recordingSocket)
	proxy, err := startProxy(front, socket, s.Calls.observe)
	if err != nil {
		return "", err
	}
	m.proxies = append(m.proxies, proxy)
	return front, nil
}

// startVertlet starts an agent with one node that differs from the default in nothing that a case is about.
func (m *Machine) startVertlet(ctx context.Context) (Side, error) {
	s := Side{Node: vertletNode, Namespace: "pods-of-vertlet", Manifests: filepath.Join(m.work, "vertlet", "manifests"), Simulated: !m.containers}
	if err := os.MkdirAll(s.Manifests, 0o755); err != nil {
		return s, err
	}
	data := filepath.Join(m.work, "vertlet", "data")
	s.Places = []Place{{filepath.Join(data, "pods"), "<pods>"}, {filepath.Join(data, "logs"), "<logs>"}, {"/vertlet-oracle/vertlet/kubepods", "<cgroups>"}}
	provider, settings := "simulated", map[string]any{}
	if m.containers {
		provider = "cri"
		socket, err := m.runtime(&s, vertletRuntime)
		if err != nil {
			return s, err
		}
		settings["cri"] = map[string]any{"socket": socket, "cgroupRoot": "/vertlet-oracle/vertlet", "cgroupDriver": "cgroupfs"}
	}
	config, err := json.Marshal(map[string]any{
		"providers": map[string]any{"settings": settings},
		"nodes": []any{map[string]any{
			"provider":      provider,
			"name":          vertletNode,
			"taints":        []any{},
			"capacity":      map[string]any{"cpu": "4", "memory": "16Gi", "ephemeral-storage": "100Gi", "pods": "110"},
			"staticPodPath": s.Manifests,
			"addresses":     []any{map[string]any{"type": "InternalIP", "address": "192.0.2.11"}},
		}},
		"dns":   map[string]any{"clusterDNS": []any{"10.0.0.10"}},
		"pods":  map[string]any{"fileCheckFrequency": "1s", "checkSecrets": true, "hostPaths": []any{"/"}},
		"agent": map[string]any{"dataDir": data},
		// the kubelet has the usual ports
		"server": map[string]any{"address": "127.0.0.1", "port": 0, "enableServer": false, "healthzPort": 0},
	})
	if err != nil {
		return s, err
	}
	file := filepath.Join(m.work, "vertlet", "agent.json")
	if err := os.WriteFile(file, config, 0o644); err != nil {
		return s, err
	}
	s.Program = m.program("vertlet", filepath.Join(m.home, "vertlet"), "agent", "--config", file, "--kubeconfig", m.kubeconfig())
	return s, m.startNode(ctx, s)
}

func (m *Machine) startNode(ctx context.Context, s Side) error {
	namespace, err := plain(map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": s.Namespace}})
	if err != nil {
		return err
	}
	if _, err := m.client.Resource(spaceKind).Create(ctx, namespace, metav1.CreateOptions{}); err != nil {
		return err
	}
	if err := m.run(ctx, s.Program, func() bool { return m.isReady(ctx, s.Node) }); err != nil {
		return err
	}
	patch := fmt.Sprintf(`[{"op":"add","path":"/status/capacity/%s","value":"1"}]`, scarce)
	if _, err := m.client.Resource(nodeKind).Patch(ctx, s.Node, types.JSONPatchType, []byte(patch), metav1.PatchOptions{}, "status"); err != nil {
		return err
	}
	if err := m.awaitSlot(ctx, s.Node); err != nil {
		return err
	}
	return m.bringImages(ctx, s)
}

// bringImages lets the node have what ./isolated gives to the other one.
func (m *Machine) bringImages(ctx context.Context, s Side) error {
	pod, err := plain(makePod(s, "images", map[string]any{"restartPolicy": "Never", "containers": []any{
		map[string]any{"name": "one", "run": "true"},
		map[string]any{"name": "two", "run": "true", "image": otherImage},
	}}))
	if err != nil {
		return err
	}
	if s.Simulated {
		pod.SetAnnotations(map[string]string{annotation + "run-for": "0"})
	}
	pods := m.client.Resource(podKind).Namespace(s.Namespace)
	if _, err := pods.Create(ctx, pod, metav1.CreateOptions{}); err != nil {
		return err
	}
	for end := time.Now().Add(patience); ; {
		if pod, err = pods.Get(ctx, "images", metav1.GetOptions{}); err != nil {
			return err
		}
		if phase, _, _ := unstructured.NestedString(pod.Object, "status", "phase"); phase == "Succeeded" {
			return pods.Delete(ctx, "images", deletion("0"))
		}
		if time.Now().After(end) {
			return fmt.Errorf("%s does not run a first pod", s.Node)
		}
		if err := sleep(ctx, polling); err != nil {
			return err
		}
	}
}

func (m *Machine) isReady(ctx context.Context, name string) bool {
	node, err := m.client.Resource(nodeKind).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return false
	}
	conditions, _, _ := unstructured.NestedSlice(node.Object, "status", "conditions")
	for _, each := range conditions {
		if c, ok := each.(map[string]any); ok && c["type"] == "Ready" {
			return c["status"] == "True"
		}
	}
	return false
}

// awaitSlot waits until the node has taken over what was patched into its capacity.
func (m *Machine) awaitSlot(ctx context.Context, name string) error {
	key := strings.ReplaceAll(scarce, "~1", "/")
	for end := time.Now().Add(patience); ; {
		node, err := m.client.Resource(nodeKind).Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		if _, there, _ := unstructured.NestedString(node.Object, "status", "allocatable", key); there {
			return nil
		}
		if time.Now().After(end) {
			return fmt.Errorf("%s does not offer %s", name, key)
		}
		if err := sleep(ctx, polling); err != nil {
			return err
		}
	}
}

// stop ends all programs, the last first.
func (m *Machine) stop() {
	for i := len(m.programs) - 1; i >= 0; i-- {
		m.programs[i].end()
	}
	for _, proxy := range m.proxies {
		proxy.stop()
	}
}
