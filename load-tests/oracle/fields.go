package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Place is a directory that a node has of its own.
type Place struct {
	Path string
	Name string
}

var (
	shortID = regexp.MustCompile(`/(\d+-)?[0-9a-f]{8}$`)
)

// keys are the fields that an element of a list goes by, if it has one of them; else its place counts.
var keys = []protoreflect.Name{"key", "container_path"}

// fields are those of a request by their paths; those that are not set, or have the value of an unset one, are left out. The order of
// mounts is a field of its own; that of environment variables is chance on a kubelet, which takes those of Services out of a map.
func (l *CallLog) fields(message proto.Message) map[string]string {
	into := map[string]string{}
	l.flatten(into, "", message.ProtoReflect())
	return into
}

func (l *CallLog) flatten(into map[string]string, path string, message protoreflect.Message) {
	if len(message.GetUnknown()) > 0 {
		into[join(path, "unknown fields")] = "yes"
	}
	message.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		at := join(path, string(field.Name()))
		switch {
		case field.IsMap():
			value.Map().Range(func(key protoreflect.MapKey, each protoreflect.Value) bool {
				into[at+"."+key.String()] = l.scalar(field.MapValue(), each)
				return true
			})
		case field.IsList():
			l.list(into, at, field, value.List())
		case field.Kind() == protoreflect.MessageKind:
			into[at] = "set" // an empty message is not the same as none
			l.flatten(into, at, value.Message())
		default:
			into[at] = l.scalar(field, value)
		}
		return true
	})
}

func join(path, name string) string {
	return strings.TrimPrefix(path+"."+name, ".")
}

func (l *CallLog) list(into map[string]string, at string, field protoreflect.FieldDescriptor, list protoreflect.List) {
	var order []string
	for i := range list.Len() {
		if field.Kind() != protoreflect.MessageKind {
			into[at+"."+strconv.Itoa(i)] = l.scalar(field, list.Get(i))
			continue
		}
		element := list.Get(i).Message()
		name := key(element, i)
		if _, twice := into[at+"."+name]; twice {
			name += " again"
		}
		order = append(order, name)
		into[at+"."+name] = "set"
		l.flatten(into, at+"."+name, element)
	}
	if field.Name() == "mounts" {
		into[at] = strings.Join(order, ", ")
	}
}

func key(element protoreflect.Message, i int) string {
	for _, name := range keys {
		if field := element.Descriptor().Fields().ByName(name); field != nil {
			return element.Get(field).String()
		}
	}
	return strconv.Itoa(i)
}

func (l *CallLog) scalar(field protoreflect.FieldDescriptor, value protoreflect.Value) string {
	switch field.Kind() {
	case protoreflect.EnumKind:
		if known := field.Enum().Values().ByNumber(value.Enum()); known != nil {
			return string(known.Name())
		}
		return fmt.Sprint(value.Enum())
	case protoreflect.BytesKind:
		return l.text(string(value.Bytes()))
	}
	return l.text(value.String())
}

// text takes out what differs from run to run, and what each node has its own of.
func (l *CallLog) text(s string) string {
	if known, is := l.subjects[s]; is {
		return "<" + known.name + ">"
	}
	for _, place := range l.side.Places {
		s = strings.ReplaceAll(s, place.Path, place.Name)
	}
	s = hash.ReplaceAllString(s, "<hash>")
	s = uid.ReplaceAllString(s, "<uid>")
	s = timeStamp.ReplaceAllString(s, "<time>")
	s = volumeToken.ReplaceAllString(s, "kube-api-access-<id>")
	if strings.HasPrefix(s, "<pods>") {
		s = shortID.ReplaceAllString(s, "/<id>")
	}
	s = strings.ReplaceAll(s, l.side.Namespace, "<namespace>")
	return strings.ReplaceAll(s, l.side.Node, "<node>")
}
