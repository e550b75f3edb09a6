package main

import (
	"encoding/json"
	"fmt"
	"path"
	"strings"
	"sync"

	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	cri "k8s.io/cri-api/pkg/apis/runtime/v1"
)

// Call is a call of a container runtime that changes something.
type Call struct {
	// Method is its name without that of the service, and Of the sandbox or container that it is about: its name and attempt.
	Method string `json:"method"`
	Of     string `json:"of,omitempty"`
	// Failed is the code of a call that failed.
	Failed string `json:"failed,omitempty"`
	// Fields are those of the request by their paths, without what differs from run to run.
	Fields map[string]string `json:"fields"`
}

// headline is what is compared in sequences.
func (c Call) headline() string {
	return strings.TrimSpace(c.Method + " " + c.Of)
}

// changing are the methods whose order and fields are compared. Of all others it is compared whether they are called at all.
var changing = map[string]bool{
	"RunPodSandbox": true, "StopPodSandbox": true, "RemovePodSandbox": true, "UpdatePodSandboxResources": true,
	"CreateContainer": true, "StartContainer": true, "StopContainer": true, "RemoveContainer": true,
	"UpdateContainerResources": true, "ExecSync": true, "PullImage": true,
}

// subject is what an id of the runtime stands for.
type subject struct {
	pod  string // its name
	uid  string // of the pod: one of the same name may be made before all of the former one has gone
	name string // of a container with its attempt, or of a sandbox
}

// CallLog has the calls of one side, by the names of pods.
type CallLog struct {
	side Side

	mutex    sync.Mutex
	subjects map[string]subject
	// uids are those of the newest pod of each name
	uids  map[string]string
	calls map[string][]*Call
	// methods are all that were called, with the service's name
	methods map[string]bool
	// raw are the requests as they came, for people who look for the reason of a difference
	raw map[string][]json.RawMessage
	err error
}

func newCallLog(s Side) *CallLog {
	return &CallLog{side: s, subjects: map[string]subject{}, uids: map[string]string{}, calls: map[string][]*Call{}, methods: map[string]bool{},
		raw: map[string][]json.RawMessage{}}
}

// observe is the observer of a Proxy.
func (l *CallLog) observe(method string, request []byte) func([]byte, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.methods[strings.TrimPrefix(method, "/")] = true
	name := path.Base(method)
	if !changing[name] || !strings.HasPrefix(method, "/runtime.v1.") {
		return func([]byte, error) {}
	}
	input, err := decode(method, request, protoreflect.MethodDescriptor.Input)
	if err != nil {
		l.fail(err)
		return func([]byte, error) {}
	}
	about := l.about(input)
	if name == "RunPodSandbox" && about.pod != "" && l.uids[about.pod] != about.uid {
		l.uids[about.pod] = about.uid
		l.drop(about.pod)
	}
	call := &Call{Method: name, Of: about.name}
	switch r := input.(type) {
	case *cri.ExecSyncRequest: // hooks and probes of one container are calls of their own
		call.Of += ": " + l.text(strings.Join(r.GetCmd(), " "))
	case *cri.PullImageRequest:
		call.Of = r.GetImage().GetImage()
	}
	call.Fields = l.fields(input)
	if about.pod != "" && l.uids[about.pod] == about.uid {
		l.calls[about.pod] = append(l.calls[about.pod], call)
		if text, err := protojson.Marshal(input); err == nil {
			l.raw[about.pod] = append(l.raw[about.pod], text)
		}
	}
	return func(response []byte, failure error) { l.answered(call, about, method, response, failure) }
}

func (l *CallLog) answered(call *Call, about subject, method string, response []byte, failure error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if failure != nil {
		call.Failed = status.Code(failure).String()
		return
	}
	output, err := decode(method, response, protoreflect.MethodDescriptor.Output)
	if err != nil {
		l.fail(err)
		return
	}
	switch o := output.(type) {
	case *cri.RunPodSandboxResponse:
		l.subjects[o.GetPodSandboxId()] = about
	case *cri.CreateContainerResponse:
		l.subjects[o.GetContainerId()] = about
	}
}

func (l *CallLog) fail(err error) {
	if l.err == nil {
		l.err = err
	}
}

func decode(method string, message []byte, part func(protoreflect.MethodDescriptor) protoreflect.MessageDescriptor) (proto.Message, error) {
	full := strings.ReplaceAll(strings.TrimPrefix(method, "/"), "/", ".")
	found, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(full))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	descriptor, ok := found.(protoreflect.MethodDescriptor)
	if !ok {
		return nil, fmt.Errorf("%s is no method", method)
	}
	kind, err := protoregistry.GlobalTypes.FindMessageByName(part(descriptor).FullName())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	decoded := kind.New().Interface()
	if err := proto.Unmarshal(message, decoded); err != nil {
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	return decoded, nil
}

// about is the sandbox or container of a request; none if it is of no pod of the side.
func (l *CallLog) about(request proto.Message) subject {
	switch r := request.(type) {
	case *cri.RunPodSandboxRequest:
		return l.sandbox(r.GetConfig().GetMetadata())
	case *cri.CreateContainerRequest:
		metadata := r.GetConfig().GetMetadata()
		about := l.subjects[r.GetPodSandboxId()]
		about.name = fmt.Sprintf("%s %d", metadata.GetName(), metadata.GetAttempt())
		return about
	case *cri.PullImageRequest:
		return l.sandbox(r.GetSandboxConfig().GetMetadata())
	case interface{ GetContainerId() string }:
		return l.subjects[r.GetContainerId()]
	case interface{ GetPodSandboxId() string }:
		return l.subjects[r.GetPodSandboxId()]
	}
	return subject{}
}

func (l *CallLog) sandbox(metadata *cri.PodSandboxMetadata) subject {
	if metadata.GetNamespace() != l.side.Namespace {
		return subject{}
	}
	return subject{metadata.GetName(), metadata.GetUid(), fmt.Sprintf("sandbox %d", metadata.GetAttempt())}
}

// forget begins a pod's calls anew.
func (l *CallLog) forget(pod string) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.drop(pod)
}

func (l *CallLog) drop(pod string) {
	delete(l.calls, pod)
	delete(l.raw, pod)
}

// of are the calls of a pod so far.
func (l *CallLog) of(pod string) ([]Call, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	var calls []Call
	for _, call := range l.calls[pod] {
		calls = append(calls, *call)
	}
	return calls, l.err
}

// called are the names of all methods that were called.
func (l *CallLog) called() []string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return sortedKeys(l.methods)
}

func (l *CallLog) requests(pod string) []json.RawMessage {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return append([]json.RawMessage(nil), l.raw[pod]...)
}
