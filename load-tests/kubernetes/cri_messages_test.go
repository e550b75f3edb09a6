package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	comment = regexp.MustCompile(`//.*`)
	opening = regexp.MustCompile(`^\s*(message|enum)\s+(\w+)\s*\{`)
	field   = regexp.MustCompile(`^\s*(repeated\s+)?(map\s*<\s*string\s*,\s*string\s*>|\w+)\s+(\w+)\s*=\s*(\d+)`)
	value   = regexp.MustCompile(`^\s*(\w+)\s*=\s*(\d+)\s*;`)
)

// protocol reads the fields and values of api.proto in the form that agent/cri writes its own:
// "Message.field = number type", "Enum.VALUE = number".
func protocol(t *testing.T) map[string]bool {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "k8s.io/cri-api").Output()
	if err != nil {
		t.Fatalf("the module k8s.io/cri-api is not there: %v", err)
	}
	file, err := os.Open(filepath.Join(strings.TrimSpace(string(dir)), "pkg/apis/runtime/v1/api.proto"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := map[string]bool{}
	var kinds, names []string
	for scanner := bufio.NewScanner(file); scanner.Scan(); {
		line := comment.ReplaceAllString(scanner.Text(), "")
		if m := opening.FindStringSubmatch(line); m != nil {
			kinds, names = append(kinds, m[1]), append(names, m[2])
			if strings.Contains(line, "}") {
				kinds, names = kinds[:len(kinds)-1], names[:len(names)-1]
			}
			continue
		}
		if len(kinds) == 0 {
			continue
		}
		last := len(kinds) - 1
		if kinds[last] == "enum" {
			if m := value.FindStringSubmatch(line); m != nil {
				lines[names[last]+"."+m[1]+" = "+m[2]] = true
			}
		} else if m := field.FindStringSubmatch(line); m != nil {
			kind := m[2]
			if strings.HasPrefix(kind, "map") {
				kind = "map<string, string>"
			}
			if m[1] != "" {
				kind = "repeated " + kind
			}
			lines[names[last]+"."+m[3]+" = "+m[4]+" "+kind] = true
		}
		if strings.HasPrefix(strings.TrimSpace(line), "}") {
			kinds, names = kinds[:last], names[:last]
		}
	}
	return lines
}

// TestMessagesAreThoseOfTheProtocol compares every field of the messages of agent/cri, by name, number
// and type, with the protocol of this version of Kubernetes.
func TestMessagesAreThoseOfTheProtocol(t *testing.T) {
	own, err := os.ReadFile("../../agent/cri/src/test/resources/cri-messages.txt")
	if err != nil {
		t.Fatal(err)
	}
	known := protocol(t)
	if len(known) < 300 {
		t.Fatalf("api.proto has %d fields: it was not read", len(known))
	}
	count := 0
	for _, line := range strings.Split(strings.TrimSpace(string(own)), "\n") {
		count++
		if !known[line] {
			t.Errorf("the protocol has no %q", line)
		}
	}
	if count < 300 {
		t.Errorf("agent/cri has %d fields: the list is not whole", count)
	}
}
