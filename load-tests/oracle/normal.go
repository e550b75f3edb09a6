package main

import (
	"fmt"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// State is what one watch event shows of a pod: values by path, without what differs from run to run. Statuses of
// containers are under init, containers and ephemeral by their names, conditions under conditions by their types;
// `deletion` is the grace in seconds of a pod that is being deleted, `gone` that the object was removed.
type State map[string]string

// Normaliser takes out of one pod's states and events what differs between two runs on one node: ids, times, addresses,
// and what else runs on the node.
type Normaliser struct {
	side Side
	// ids of each container, by the order in which they came up: which instance a state is of stays visible
	ids    map[string]string
	counts map[string]int
}

func newNormaliser(s Side) *Normaliser {
	return &Normaliser{side: s, ids: map[string]string{}, counts: map[string]int{}}
}

var groups = map[string]string{
	"initContainerStatuses":      "init",
	"containerStatuses":          "containers",
	"ephemeralContainerStatuses": "ephemeral",
}

// noLimit is what version 1 of cgroups says of memory without a limit; version 2 says nothing.
const noLimit = "9007199254740988Ki"

// Times of conditions follow from the order of states. Users of containers are what the runtime says, and this containerd is
// too old to.
var unseen = map[string]bool{"lastTransitionTime": true, "lastProbeTime": true, "user": true}

var (
	timeStamp   = regexp.MustCompile(`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z`)
	containerID = regexp.MustCompile(`(containerd|simulated)://[0-9a-zA-Z_.-]+`)
	uid         = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b[0-9a-f]{32}\b`)
	hash        = regexp.MustCompile(`(sha256:)?\b[0-9a-f]{64}\b`)
	address     = regexp.MustCompile(`\b\d{1,3}(\.\d{1,3}){3}\b`)
	port        = regexp.MustCompile(`(<address>|127\.0\.0\.1):\d{5}->`)
	pulled      = regexp.MustCompile(`in \S+ \(\S+ including waiting\)\. Image size: \d+ bytes`)
	room        = regexp.MustCompile(`used: \d+, capacity: \d+|capacity: \d+`)
	volumeToken = regexp.MustCompile(`kube-api-access-[a-z0-9]{5}`)
)

// text takes out of a message what differs from run to run. Ids in it are those of a container.
func (n *Normaliser) text(s, container string) string {
	s = timeStamp.ReplaceAllString(s, "<time>")
	s = containerID.ReplaceAllStringFunc(s, func(found string) string { return n.id(found, container) })
	s = uid.ReplaceAllString(s, "<uid>")
	s = hash.ReplaceAllString(s, "<hash>")
	s = address.ReplaceAllStringFunc(s, func(found string) string {
		if strings.HasPrefix(found, "127.") {
			return found
		}
		return "<address>"
	})
	s = port.ReplaceAllString(s, "$1:<port>->")
	s = pulled.ReplaceAllString(s, "in <time> (<time> including waiting). Image size: <bytes> bytes")
	s = room.ReplaceAllStringFunc(s, func(found string) string {
		if strings.HasPrefix(found, "used") {
			return "used: <n>, capacity: <n>"
		}
		return "capacity: <n>"
	})
	s = volumeToken.ReplaceAllString(s, "kube-api-access-<id>")
	s = strings.ReplaceAll(s, n.side.Namespace, "<namespace>")
	return strings.ReplaceAll(s, n.side.Node, "<node>")
}

func (n *Normaliser) id(raw, container string) string {
	if _, known := n.ids[raw]; !known {
		n.counts[container]++
		n.ids[raw] = "<id " + strconv.Itoa(n.counts[container]) + ">"
	}
	return n.ids[raw]
}

// state is the pod of a watch event.
func (n *Normaliser) state(pod map[string]any, gone bool) State {
	s := State{}
	status, _ := pod["status"].(map[string]any)
	for _, key := range sortedKeys(status) {
		name := key
		if short, is := groups[key]; is {
			name = short
		}
		n.flatten(s, name, status[key])
	}
	if metadata, ok := pod["metadata"].(map[string]any); ok {
		if _, deleted := metadata["deletionTimestamp"]; deleted {
			s["deletion"] = fmt.Sprint(metadata["deletionGracePeriodSeconds"])
		}
	}
	if gone {
		s["gone"] = "true"
	}
	return s
}

func (n *Normaliser) flatten(into State, path string, value any) {
	switch v := value.(type) {
	case map[string]any:
		for _, key := range sortedKeys(v) {
			if !unseen[key] {
				n.flatten(into, path+"."+key, v[key])
			}
		}
	case []any:
		for i, each := range v {
			n.flatten(into, path+"."+element(i, each), each)
		}
	case nil:
	default:
		text := n.text(fmt.Sprint(v), container(path))
		if text == noLimit {
			return
		}
		if strings.HasSuffix(path, ".imageID") && text != "" {
			text = "<image>"
		}
		into[path] = text
	}
}

// container is the beginning of a path that is about one.
func container(path string) string {
	return strings.Join(strings.SplitN(path, ".", 3)[:min(2, strings.Count(path, ".")+1)], ".")
}

// element is what an item of a list goes by: its type or name, else its place.
func element(i int, value any) string {
	if item, ok := value.(map[string]any); ok {
		for _, key := range []string{"type", "name"} {
			if name, ok := item[key].(string); ok {
				return name
			}
		}
	}
	return strconv.Itoa(i)
}

// event is one line: type, reason, the part of the pod it is about, message, who wrote it.
func (n *Normaliser) event(object map[string]any) string {
	about, _ := object["involvedObject"].(map[string]any)
	part := ""
	if field, ok := about["fieldPath"].(string); ok {
		part = " [" + field + "]"
	}
	source, _ := object["source"].(map[string]any)
	component, _ := source["component"].(string)
	if component == "" {
		component, _ = object["reportingComponent"].(string)
	}
	return n.text(fmt.Sprintf("%v %v%s %v (%s)", object["type"], object["reason"], part, object["message"], component), part)
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}
