package main

import (
	"fmt"
	"regexp"
	"sort"
	"strings"
)

// Recording is one pod on one node.
type Recording struct {
	Case   string   `json:"case"`
	States []State  `json:"states"`
	Events []string `json:"events"`
	// At are the seconds from the first state to each. They are not compared.
	At []float64 `json:"at"`
	// Missed are the steps that waited in vain.
	Missed []string `json:"missed,omitempty"`
}

// Difference is one thing that is so on one side only.
type Difference struct {
	// Kind is last (the last status), seen (a value that only one side ever showed), order (the sequence of states),
	// event (the sequence of events) or wait (a step that waited in vain).
	Kind string
	Text string
}

// String is one line, whatever is in a message.
func (d Difference) String() string {
	return d.Kind + ": " + strings.ReplaceAll(d.Text, "\n", "\\n")
}

const (
	byKubelet = "kubelet alone"
	byVertlet = "vertlet alone"
	// A kubelet lists its containers every second and writes what it has found after that: whether it ever shows what lasts less
	// than this is chance.
	brief = 2.0
)

// line is what is compared in sequences, with how many seconds it was so; below zero where that does not matter.
type line struct {
	text    string
	seconds float64
}

// by is who alone has it.
func (l line) by(side string) string {
	if l.seconds >= 0 && l.seconds < brief {
		side += ", briefly"
	}
	return side + ": " + l.text
}

func lines(texts []string) []line {
	var all []line
	for _, text := range texts {
		all = append(all, line{text, -1})
	}
	return all
}

// compare is what is different, the last status first.
func compare(kubelet, vertlet Recording) []Difference {
	differences := compareLast(kubelet.last(), vertlet.last())
	differences = append(differences, compareSeen(kubelet, vertlet, differences)...)
	differences = append(differences, align("order", kubelet.headlines(), vertlet.headlines())...)
	differences = append(differences, align("event", lines(once(kubelet.Events)), lines(once(vertlet.Events)))...)
	return append(differences, align("wait", lines(kubelet.Missed), lines(vertlet.Missed))...)
}

func (r Recording) last() State {
	if len(r.States) == 0 {
		return State{}
	}
	return r.States[len(r.States)-1]
}

func compareLast(kubelet, vertlet State) []Difference {
	paths := map[string]bool{}
	for path := range kubelet {
		paths[path] = true
	}
	for path := range vertlet {
		paths[path] = true
	}
	var differences []Difference
	for _, path := range sortedKeys(paths) {
		k, v := shown(kubelet, path), shown(vertlet, path)
		if k != v {
			differences = append(differences, Difference{"last", fmt.Sprintf("%s: kubelet %s, vertlet %s", path, k, v)})
		}
	}
	return differences
}

func shown(s State, path string) string {
	if value, there := s[path]; there {
		return fmt.Sprintf("%q", value)
	}
	return "none"
}

// compareSeen leaves out what the last statuses say already.
func compareSeen(kubelet, vertlet Recording, said []Difference) []Difference {
	known := map[string]bool{}
	for _, difference := range said {
		known[strings.SplitN(difference.Text, ":", 2)[0]] = true
	}
	k, v := kubelet.values(), vertlet.values()
	var texts []string
	for value, shown := range k {
		if _, both := v[value]; !both && !known[shown.path] {
			texts = append(texts, line{value, shown.seconds}.by(byKubelet))
		}
	}
	for value, shown := range v {
		if _, both := k[value]; !both && !known[shown.path] {
			texts = append(texts, line{value, shown.seconds}.by(byVertlet))
		}
	}
	sort.Strings(texts)
	var differences []Difference
	for _, text := range texts {
		differences = append(differences, Difference{"seen", text})
	}
	return differences
}

// shownValue is a value's path and for how many seconds it was shown.
type shownValue struct {
	path    string
	seconds float64
}

// values are all that were ever shown.
func (r Recording) values() map[string]shownValue {
	values := map[string]shownValue{}
	for i, state := range r.States {
		for path, value := range state {
			key := fmt.Sprintf("%s: %q", path, value)
			values[key] = shownValue{path, values[key].seconds + r.lasted(i)}
		}
	}
	return values
}

// lasted is how many seconds a state was the last one; the last of all stays.
func (r Recording) lasted(i int) float64 {
	if i+1 >= len(r.At) {
		return brief
	}
	return r.At[i+1] - r.At[i]
}

// headlines are the states as `kubectl get pods` and a little more would tell them, without repetitions.
func (r Recording) headlines() []line {
	var all []line
	for i, state := range r.States {
		headline := state.headline()
		if len(all) == 0 || all[len(all)-1].text != headline {
			all = append(all, line{headline, 0})
		}
		all[len(all)-1].seconds += r.lasted(i)
	}
	return all
}

// seconds are from the first state to the last one.
func (r Recording) seconds() float64 {
	if len(r.At) == 0 {
		return 0
	}
	return r.At[len(r.At)-1]
}

var (
	containerState = regexp.MustCompile(`^(init|containers|ephemeral)\.(.+)\.state\.(waiting|running|terminated)\.(reason|exitCode|startedAt)$`)
	condition      = regexp.MustCompile(`^conditions\.(.+)\.status$`)
)

// Conditions that follow from others, or that never change.
var implied = map[string]bool{"PodScheduled": true, "ContainersReady": true}

func (s State) headline() string {
	parts := []string{s["phase"]}
	if reason := s["reason"]; reason != "" {
		parts[0] += "(" + reason + ")"
	}
	if grace, deleted := s["deletion"]; deleted {
		parts = append(parts, "deleting("+grace+")")
	}
	if s["gone"] != "" {
		parts = append(parts, "gone")
	}
	for _, path := range sortedKeys(s) {
		if found := condition.FindStringSubmatch(path); found != nil && !implied[found[1]] {
			part := found[1] + "=" + s[path]
			if reason := s["conditions."+found[1]+".reason"]; reason != "" {
				part += "(" + reason + ")"
			}
			parts = append(parts, part)
		}
	}
	said := map[string]bool{}
	for _, path := range sortedKeys(s) {
		if found := containerState.FindStringSubmatch(path); found != nil && !said[found[1]+"."+found[2]] {
			said[found[1]+"."+found[2]] = true
			parts = append(parts, s.container(found[1], found[2], found[3]))
		}
	}
	return strings.Join(parts, " ")
}

func (s State) container(group, name, state string) string {
	at := group + "." + name
	text := name + "=" + state
	reason, code := s[at+".state."+state+".reason"], s[at+".state."+state+".exitCode"]
	if reason != "" || code != "" {
		text += "(" + strings.Trim(reason+","+code, ",") + ")"
	}
	if count := s[at+".restartCount"]; count != "" && count != "0" {
		text += "#" + count
	}
	if s[at+".ready"] == "true" {
		text += "+"
	}
	return text
}

// once leaves out what was said before: how often an event comes again is a matter of time.
func once(lines []string) []string {
	var first []string
	said := map[string]bool{}
	for _, line := range lines {
		if !said[line] {
			said[line] = true
			first = append(first, line)
		}
	}
	return first
}

// align finds the longest common subsequence; what is not in it is different.
func align(kind string, kubelet, vertlet []line) []Difference {
	longest := make([][]int, len(kubelet)+1)
	for i := range longest {
		longest[i] = make([]int, len(vertlet)+1)
	}
	for i := len(kubelet) - 1; i >= 0; i-- {
		for j := len(vertlet) - 1; j >= 0; j-- {
			if kubelet[i].text == vertlet[j].text {
				longest[i][j] = longest[i+1][j+1] + 1
			} else {
				longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			}
		}
	}
	var differences []Difference
	i, j := 0, 0
	for i < len(kubelet) || j < len(vertlet) {
		switch {
		case i < len(kubelet) && j < len(vertlet) && kubelet[i].text == vertlet[j].text:
			i++
			j++
		case j == len(vertlet) || i < len(kubelet) && longest[i+1][j] >= longest[i][j+1]:
			differences = append(differences, Difference{kind, kubelet[i].by(byKubelet)})
			i++
		default:
			differences = append(differences, Difference{kind, vertlet[j].by(byVertlet)})
			j++
		}
	}
	return differences
}
