package main

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	cri "k8s.io/cri-api/pkg/apis/runtime/v1"
)

var callSide = Side{Node: "node-a", Namespace: "space-a", Places: []Place{{"/var/lib/kubelet/pods", "<pods>"}}}

// fakeRuntime makes sandboxes, and containers of every name but "bad".
type fakeRuntime struct {
	cri.UnimplementedRuntimeServiceServer
}

func (fakeRuntime) RunPodSandbox(_ context.Context, r *cri.RunPodSandboxRequest) (*cri.RunPodSandboxResponse, error) {
	return &cri.RunPodSandboxResponse{PodSandboxId: "sandbox-of-" + r.GetConfig().GetMetadata().GetUid()}, nil
}

func (fakeRuntime) CreateContainer(_ context.Context, r *cri.CreateContainerRequest) (*cri.CreateContainerResponse, error) {
	name := r.GetConfig().GetMetadata().GetName()
	if name == "bad" {
		return nil, status.Error(codes.InvalidArgument, "bad")
	}
	return &cri.CreateContainerResponse{ContainerId: name + "-of-" + r.GetPodSandboxId()}, nil
}

func (fakeRuntime) StartContainer(context.Context, *cri.StartContainerRequest) (*cri.StartContainerResponse, error) {
	return &cri.StartContainerResponse{}, nil
}

func (fakeRuntime) GetContainerEvents(_ *cri.GetEventsRequest, events grpc.ServerStreamingServer[cri.ContainerEventResponse]) error {
	for _, id := range []string{"first", "second"} {
		if err := events.Send(&cri.ContainerEventResponse{ContainerId: id}); err != nil {
			return err
		}
	}
	return nil
}

// throughProxy has a client whose calls go through a recording socket.
func throughProxy(t *testing.T, log *CallLog) cri.RuntimeServiceClient {
	t.Helper()
	folder, err := os.MkdirTemp("", "calls") // t.TempDir is too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	runtime := filepath.Join(folder, "runtime.sock")
	server := serveRuntime(t, runtime)
	t.Cleanup(server.Stop)
	front := filepath.Join(folder, "front.sock")
	proxy, err := startProxy(front, runtime, log.observe)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(proxy.stop)
	connection, err := grpc.NewClient("unix://"+front, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })
	return cri.NewRuntimeServiceClient(connection)
}

func podConfig(name, uid string) *cri.PodSandboxConfig {
	return &cri.PodSandboxConfig{Metadata: &cri.PodSandboxMetadata{Name: name, Namespace: "space-a", Uid: uid}}
}

func runPod(t *testing.T, ctx context.Context, client cri.RuntimeServiceClient, uid string) string {
	t.Helper()
	made, err := client.RunPodSandbox(ctx, &cri.RunPodSandboxRequest{Config: podConfig("p", uid)})
	if err != nil {
		t.Fatal(err)
	}
	container, err := client.CreateContainer(ctx, &cri.CreateContainerRequest{PodSandboxId: made.GetPodSandboxId(),
		Config: &cri.ContainerConfig{Metadata: &cri.ContainerMetadata{Name: "main", Attempt: 2}}})
	if err != nil {
		t.Fatal(err)
	}
	return container.GetContainerId()
}

func timed(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func TestRecordsCallsByPodAndPassesThemOn(t *testing.T) {
	log := newCallLog(callSide)
	client, ctx := throughProxy(t, log), timed(t)
	id := runPod(t, ctx, client, "uid-1")
	if _, err := client.StartContainer(ctx, &cri.StartContainerRequest{ContainerId: id}); err != nil {
		t.Fatal(err)
	}
	if _, err := client.CreateContainer(ctx, &cri.CreateContainerRequest{PodSandboxId: "sandbox-of-uid-1",
		Config: &cri.ContainerConfig{Metadata: &cri.ContainerMetadata{Name: "bad"}}}); status.Code(err) != codes.InvalidArgument {
		t.Errorf("a failure comes as %v", err)
	}
	calls, err := log.of("p")
	if err != nil {
		t.Fatal(err)
	}
	wanted := []string{"RunPodSandbox sandbox 0", "CreateContainer main 2", "StartContainer main 2", "CreateContainer bad 0"}
	for i, call := range calls {
		if i >= len(wanted) || call.headline() != wanted[i] {
			t.Errorf("call %d is %s", i, call.headline())
		}
	}
	if len(calls) != len(wanted) || calls[2].Fields["container_id"] != "<main 2>" || calls[3].Failed != "InvalidArgument" {
		t.Errorf("has %v", calls)
	}
}

func TestPassesStreamsOnAndKnowsTheirMethods(t *testing.T) {
	log := newCallLog(callSide)
	client, ctx := throughProxy(t, log), timed(t)
	events, err := client.GetContainerEvents(ctx, &cri.GetEventsRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"first", "second"} {
		event, err := events.Recv()
		if err != nil || event.GetContainerId() != id {
			t.Fatalf("got %v, %v", event, err)
		}
	}
	if called := log.called(); len(called) != 1 || called[0] != "runtime.v1.RuntimeService/GetContainerEvents" {
		t.Errorf("knows %v", called)
	}
}

func TestForgetsThePodWhoseNameAnotherOneHas(t *testing.T) {
	log := newCallLog(callSide)
	client, ctx := throughProxy(t, log), timed(t)
	first := runPod(t, ctx, client, "uid-1")
	runPod(t, ctx, client, "uid-2")
	if _, err := client.StartContainer(ctx, &cri.StartContainerRequest{ContainerId: first}); err != nil {
		t.Fatal(err)
	}
	calls, err := log.of("p")
	if err != nil || len(calls) != 2 {
		t.Errorf("has %v, %v", calls, err)
	}
}

func TestFieldsHaveNamesOfElementsAndNoIds(t *testing.T) {
	log := newCallLog(callSide)
	fields := log.fields(&cri.ContainerConfig{
		Envs: []*cri.KeyValue{{Key: "B", Value: []byte("2")}, {Key: "A", Value: []byte("1")}},
		Mounts: []*cri.Mount{
			{ContainerPath: "/dev/termination-log", HostPath: "/var/lib/kubelet/pods/00000000-1111-2222-3333-444444444444/containers/main/0123abcd"},
			{ContainerPath: "/etc/hosts"},
		},
		Args: []string{"x"},
	})
	for path, wanted := range map[string]string{
		"envs.A.value": "1", "mounts./dev/termination-log.host_path": "<pods>/<uid>/containers/main/<id>",
		"mounts": "/dev/termination-log, /etc/hosts", "args.0": "x",
	} {
		if fields[path] != wanted {
			t.Errorf("%s is %q", path, fields[path])
		}
	}
	if _, there := fields["tty"]; there {
		t.Error("has a field that is not set")
	}
}

func TestTellsOfFieldsAndCallsThatDiffer(t *testing.T) {
	kubelet := CallRecording{Calls: []Call{
		{Method: "RunPodSandbox", Of: "sandbox 0", Fields: map[string]string{"a": "1", "b": "2"}},
		{Method: "StopContainer", Of: "one 0"}, {Method: "StopContainer", Of: "two 0"}, {Method: "StopPodSandbox", Of: "sandbox 0"},
	}}
	vertlet := CallRecording{Calls: []Call{
		{Method: "RunPodSandbox", Of: "sandbox 0", Fields: map[string]string{"a": "1", "c": "3"}},
		{Method: "StopContainer", Of: "two 0"}, {Method: "StopContainer", Of: "one 0"},
	}}
	expect(t, compareCalls(kubelet, vertlet), "call: kubelet alone: StopPodSandbox sandbox 0",
		`field: RunPodSandbox sandbox 0 b: kubelet "2", vertlet none`, `field: RunPodSandbox sandbox 0 c: kubelet none, vertlet "3"`)
}

func TestHasARecordingOfTheCallsOfEachCase(t *testing.T) {
	cases, err := loadCases("calls/cases")
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) < 30 {
		t.Errorf("has %d cases", len(cases))
	}
	for _, c := range cases {
		if _, err := readCalls("calls/recorded", c); err != nil {
			t.Error(err)
		}
	}
	if _, err := loadReasons("calls/reasons.yaml"); err != nil {
		t.Error(err)
	}
}

func serveRuntime(t *testing.T, socket string) *grpc.Server {
	t.Helper()
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	cri.RegisterRuntimeServiceServer(server, fakeRuntime{})
	go func() { _ = server.Serve(listener) }()
	return server
}
