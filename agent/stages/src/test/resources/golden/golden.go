// Golden renders templates with Go's text/template and the functions of KWOK 0.8.
//
// It reads a JSON array of {"template", "data"} from standard input, and writes the array with
// "output" or "error" added to standard output. The functions that KWOK adds are written anew here
// after its documentation: they are small, and its module draws in all of Kubernetes.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig/v3"
	"sigs.k8s.io/yaml"
)

type testCase struct {
	Template string          `json:"template"`
	Data     json.RawMessage `json:"data,omitempty"`
	Output   *string         `json:"output,omitempty"`
	Error    string          `json:"error,omitempty"`
}

func quote(value any) string {
	encoded, err := json.Marshal(value)
	if err != nil {
		return strconv.Quote(fmt.Sprint(value))
	}
	if encoded[0] == '"' {
		return string(encoded)
	}
	return strconv.Quote(string(encoded))
}

func toYAML(value any, indent ...int) (string, error) {
	encoded, err := yaml.Marshal(value)
	if err != nil || len(indent) != 1 || indent[0] <= 0 {
		return string(encoded), err
	}
	return strings.ReplaceAll("\n"+string(encoded), "\n", "\n"+strings.Repeat("  ", indent[0])), nil
}

var kwok = template.FuncMap{
	"Quote":   quote,
	"YAML":    toYAML,
	"Version": func() string { return "0.8.0" },
}

func decode(raw []byte) any {
	var data any
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if err := decoder.Decode(&data); err != nil {
		panic(err)
	}
	return data
}

// numbers writes each number that is no integer as Go's JSON encoder writes a float64: an object
// has gone through a decoder of Kubernetes and that encoder before a template sees it.
func numbers(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for key, element := range value {
			value[key] = numbers(element)
		}
	case []any:
		for i, element := range value {
			value[i] = numbers(element)
		}
	case json.Number:
		if _, err := value.Int64(); err != nil {
			float, _ := value.Float64()
			encoded, _ := json.Marshal(float)
			return json.Number(encoded)
		}
	}
	return value
}

func render(text string, raw json.RawMessage) (string, error) {
	parsed, err := template.New("_").Funcs(sprig.TxtFuncMap()).Funcs(kwok).Parse(text)
	if err != nil {
		return "", err
	}
	var data any
	if len(raw) > 0 {
		data = numbers(decode(raw))
	}
	var out strings.Builder
	err = parsed.Execute(&out, data)
	return out.String(), err
}

func main() {
	var cases []testCase
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		panic(err)
	}
	for i := range cases {
		output, err := render(cases[i].Template, cases[i].Data)
		if err != nil {
			cases[i].Error = err.Error()
		} else {
			cases[i].Output = &output
		}
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(cases); err != nil {
		panic(err)
	}
}
