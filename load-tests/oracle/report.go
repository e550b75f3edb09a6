package main

import (
	"fmt"
	"os"
	"path"
	"regexp"
	"strings"

	"sigs.k8s.io/yaml"
)

// Reason says why differences stay.
type Reason struct {
	Name   string `json:"name"`
	Reason string `json:"reason"`
	// Cases are patterns of names; none means all.
	Cases []string `json:"cases,omitempty"`
	// Match are patterns of a difference as it is printed.
	Match []string `json:"match"`

	patterns []*regexp.Regexp
}

func loadReasons(file string) ([]*Reason, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var reasons []*Reason
	if err := yaml.UnmarshalStrict(text, &reasons); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for _, r := range reasons {
		if err := r.compile(); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", file, r.Name, err)
		}
	}
	return reasons, nil
}

func (r *Reason) compile() error {
	for _, pattern := range r.Match {
		compiled, err := regexp.Compile(pattern)
		if err != nil {
			return err
		}
		r.patterns = append(r.patterns, compiled)
	}
	return nil
}

func (r *Reason) explains(name string, d Difference) bool {
	fits := len(r.Cases) == 0
	for _, pattern := range r.Cases {
		if ok, err := path.Match(pattern, name); err == nil && ok {
			fits = true
		}
	}
	if !fits {
		return false
	}
	for _, pattern := range r.patterns {
		if pattern.MatchString(d.String()) {
			return true
		}
	}
	return false
}

// Result is what became of a case.
type Result struct {
	Case Case
	// Kubelet and Vertlet are the seconds that the pod took.
	Kubelet, Vertlet float64
	Differences      []Difference
	// Reasons are those of the differences, at the same index; nil where there is none.
	Reasons []*Reason
}

func judge(c Case, kubelet, vertlet Recording, reasons []*Reason) Result {
	result := explain(c, compare(kubelet, vertlet), reasons)
	result.Kubelet, result.Vertlet = kubelet.seconds(), vertlet.seconds()
	return result
}

func explain(c Case, differences []Difference, reasons []*Reason) Result {
	result := Result{Case: c, Differences: differences}
	for _, difference := range differences {
		var found *Reason
		for _, reason := range reasons {
			if reason.explains(c.Name, difference) {
				found = reason
				break
			}
		}
		result.Reasons = append(result.Reasons, found)
	}
	return result
}

// open are the differences without a reason.
func (r Result) open() []Difference {
	var open []Difference
	for i, difference := range r.Differences {
		if r.Reasons[i] == nil {
			open = append(open, difference)
		}
	}
	return open
}

// summary is for a terminal.
func (r Result) summary(all bool) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%-28s %d differences, %d without a reason\n", r.Case.Name, len(r.Differences), len(r.open()))
	for i, difference := range r.Differences {
		switch {
		case r.Reasons[i] == nil:
			fmt.Fprintf(&text, "  ? %v\n", difference)
		case all:
			fmt.Fprintf(&text, "  %s: %v\n", r.Reasons[i].Name, difference)
		}
	}
	return text.String()
}

// report is docs/fidelity.md without its head.
func report(results []Result, reasons []*Reason) string {
	var text strings.Builder
	same, states, events := 0, 0, 0
	for _, result := range results {
		if len(result.Differences) == 0 {
			same++
		}
		if !result.has("last") && !result.has("seen") {
			states++
		}
		if !result.has("event") {
			events++
		}
	}
	fmt.Fprintf(&text, "## Result\n\n| cases | |\n|---|---|\n| all | %d |\n| without any difference | %d |\n", len(results), same)
	fmt.Fprintf(&text, "| same values in all statuses | %d |\n| same events in the same order | %d |\n", states, events)
	text.WriteString("\n## Differences that stay\n")
	for _, reason := range reasons {
		var names []string
		example := ""
		for _, result := range results {
			found := false
			for i, difference := range result.Differences {
				if result.Reasons[i] == reason {
					found = true
					if example == "" {
						example = result.Case.Name + ": " + difference.String()
					}
				}
			}
			if found {
				names = append(names, result.Case.Name)
			}
		}
		if len(names) == 0 {
			continue
		}
		listed := fmt.Sprintf("%d %s: %s. For example", len(names), plural(len(names), "case"), strings.Join(names, ", "))
		fmt.Fprintf(&text, "\n### %s\n\n%s\n\n%s\n\n```text\n%s\n```\n", reason.Name, wrap(reason.Reason), wrap(listed), example)
	}
	writeOpen(&text, results)
	text.WriteString("\n## Cases\n\nSeconds are from the pod's first state to its last one, of one run.\n\n")
	text.WriteString("| case | shows | s kubelet | s vertlet | differences |\n|---|---|---|---|---|\n")
	for _, result := range results {
		fmt.Fprintf(&text, "| %s | %s | %.1f | %.1f | %s |\n", result.Case.Name, cell(result.Case.Shows), result.Kubelet, result.Vertlet, cell(strings.Join(result.names(), ", ")))
	}
	return text.String()
}

func writeOpen(text *strings.Builder, results []Result) {
	begun := false
	for _, result := range results {
		for _, difference := range result.open() {
			if !begun {
				text.WriteString("\n## Differences without a reason\n\n```text\n")
				begun = true
			}
			fmt.Fprintf(text, "%s: %v\n", result.Case.Name, difference)
		}
	}
	if begun {
		text.WriteString("```\n")
	}
}

func (r Result) has(kind string) bool {
	for _, difference := range r.Differences {
		if difference.Kind == kind {
			return true
		}
	}
	return false
}

// names are the reasons of a case, each once.
func (r Result) names() []string {
	var names []string
	for _, reason := range r.Reasons {
		name := "without a reason"
		if reason != nil {
			name = reason.Name
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return []string{"none"}
	}
	return once(names)
}

// wrap breaks lines as those of the other documents.
func wrap(text string) string {
	const width = 120
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return strings.Join(append(lines, line), "\n")
}

func plural(count int, noun string) string {
	if count == 1 {
		return noun
	}
	return noun + "s"
}

func cell(text string) string {
	return strings.NewReplacer("|", "\\|", "<", "&lt;", "\n", " ").Replace(text)
}

// writeReport replaces what stands behind the head of the document.
func writeReport(file, body string) error {
	const mark = "<!-- What follows is written by load-tests/oracle/run --write -->\n"
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	head, _, found := strings.Cut(string(text), mark)
	if !found {
		return fmt.Errorf("%s: has no line %q", file, strings.TrimSpace(mark))
	}
	return os.WriteFile(file, []byte(head+mark+"\n"+body), 0o644)
}
