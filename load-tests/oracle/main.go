// Command oracle makes pods on a real kubelet and on a vertlet node of one control plane, and prints what is different in
// their statuses, the order of these, and their events. ./run prepares what it needs.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

type options struct {
	home     string
	work     string
	kubelet  string
	recorded bool
	record   bool
	again    bool
	quick    bool
	write    bool
	all      bool
	cri      bool
	calls    bool
	jobs     int
	only     []string
}

func parse(arguments []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("oracle", flag.ContinueOnError)
	flags.StringVar(&o.home, "home", "", "root of the repository")
	flags.StringVar(&o.work, "work", "", "directory for logs, data and what was seen")
	flags.StringVar(&o.kubelet, "kubelet", "", "program of the kubelet")
	flags.BoolVar(&o.recorded, "recorded", false, "take the kubelet's side from the recording")
	flags.BoolVar(&o.record, "record", false, "replace the recording")
	flags.BoolVar(&o.again, "again", false, "compare once more what the last run has seen")
	flags.BoolVar(&o.quick, "quick", false, "run the quick cases")
	flags.BoolVar(&o.write, "write", false, "write docs/fidelity.md")
	flags.BoolVar(&o.all, "all", false, "print differences that have a reason, too")
	flags.BoolVar(&o.cri, "cri", false, "run vertlet's pods on the containerd of ./isolated")
	flags.BoolVar(&o.calls, "calls", false, "compare the calls of the container runtimes, of the cases of calls")
	flags.IntVar(&o.jobs, "jobs", 8, "cases at a time")
	if err := flags.Parse(arguments); err != nil {
		return o, err
	}
	o.only = flags.Args()
	if o.calls && o.write {
		return o, errors.New("docs/fidelity.md is of statuses: --calls does not go with --write")
	}
	if o.cri && !o.calls && (o.write || o.record) {
		return o, errors.New("docs/fidelity.md and the recording are of simulated pods: --cri goes with neither --write nor --record")
	}
	o.cri = o.cri || o.calls
	if o.home == "" || o.work == "" || o.jobs < 1 {
		return o, errors.New("--home, --work and at least one job are needed")
	}
	return o, nil
}

func main() {
	o, err := parse(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	open, err := run(ctx, o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(1)
	}
	if open > 0 {
		os.Exit(1)
	}
}

// folder has what is kept of what is compared: statuses, or calls of runtimes.
func (o options) folder(names ...string) string {
	folder := []string{o.home, "load-tests", "oracle"}
	if o.calls {
		folder = append(folder, "calls")
	}
	return filepath.Join(append(folder, names...)...)
}

// run returns how many differences have no reason.
func run(ctx context.Context, o options) (int, error) {
	cases, err := loadCases(o.folder("cases"))
	if err != nil {
		return 0, err
	}
	reasons, err := loadReasons(o.folder("reasons.yaml"))
	if err != nil {
		return 0, err
	}
	chosen, err := o.choose(cases)
	if err != nil {
		return 0, err
	}
	began := time.Now()
	results, err := o.results(ctx, chosen, reasons)
	if err != nil {
		return 0, err
	}
	open, count := 0, 0
	for _, result := range results {
		open += len(result.open())
		count += len(result.Differences)
	}
	if o.write {
		if err := writeReport(filepath.Join(o.home, "docs", "fidelity.md"), report(results, reasons)); err != nil {
			return 0, err
		}
	}
	fmt.Printf("oracle: %d cases, %d differences, %d of them without a reason, %.0f s\n", len(results), count, open, time.Since(began).Seconds())
	return open, nil
}

func (o options) results(ctx context.Context, cases []Case, reasons []*Reason) ([]Result, error) {
	if o.again {
		return compareAgain(o, cases, reasons)
	}
	for _, folder := range []string{o.seen(), o.folder("recorded")} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return nil, err
		}
	}
	machine := &Machine{home: o.home, work: o.work, kubelet: o.kubelet, containers: o.cri, recordCalls: o.calls}
	defer machine.stop()
	drivers, err := start(ctx, o, machine)
	if err != nil {
		return nil, err
	}
	results, err := runAll(ctx, o, drivers, cases, reasons)
	if err != nil || !o.calls || !o.complete() {
		return results, err
	}
	methods, err := compareMethods(o, drivers, reasons)
	if err != nil {
		return nil, err
	}
	fmt.Print(methods.summary(o.all))
	return append(results, methods), nil
}

// complete is whether all cases run, after which both nodes have called what they ever call.
func (o options) complete() bool {
	return len(o.only) == 0 && !o.quick
}

// seen has what the API server sent, and the recording of vertlet's side.
func (o options) seen() string {
	return filepath.Join(o.work, "seen")
}

func compareAgain(o options, cases []Case, reasons []*Reason) ([]Result, error) {
	var results []Result
	for _, c := range cases {
		if o.calls {
			result, err := compareCallsAgain(o, c, reasons)
			if err != nil {
				return nil, err
			}
			fmt.Print(result.summary(o.all))
			results = append(results, result)
			continue
		}
		kubelet, err := readRecording(o.folder("recorded"), c.Name)
		if err != nil {
			return nil, err
		}
		vertlet, err := readRecording(o.seen(), c.Name)
		if err != nil {
			return nil, err
		}
		result := judge(c, kubelet, vertlet, reasons)
		fmt.Print(result.summary(o.all))
		results = append(results, result)
	}
	return results, nil
}

func (o options) choose(cases []Case) ([]Case, error) {
	var chosen []Case
	wanted := map[string]bool{}
	for _, name := range o.only {
		wanted[name] = true
	}
	for _, c := range cases {
		if len(o.only) == 0 && (c.Quick || !o.quick) || wanted[c.Name] {
			chosen = append(chosen, c)
			delete(wanted, c.Name)
		}
	}
	if len(wanted) > 0 {
		return nil, fmt.Errorf("there is no case %s", strings.Join(sortedKeys(wanted), ", "))
	}
	return chosen, nil
}

// start brings up the control plane and its nodes; the kubelet's is first where there is one.
func start(ctx context.Context, o options, machine *Machine) ([]Driver, error) {
	if err := machine.startControlPlane(ctx); err != nil {
		return nil, err
	}
	starts := []func(context.Context) (Side, error){machine.startKubelet, machine.startVertlet}
	if o.recorded {
		starts = starts[1:]
	}
	var drivers []Driver
	for _, start := range starts {
		side, err := start(ctx)
		if err != nil {
			return nil, err
		}
		recorder, err := record(ctx, machine.client, side)
		if err != nil {
			return nil, err
		}
		drivers = append(drivers, Driver{machine.client, side, recorder})
	}
	return drivers, nil
}

// runAll keeps the order of the cases in its results.
func runAll(ctx context.Context, o options, drivers []Driver, cases []Case, reasons []*Reason) ([]Result, error) {
	results := make([]Result, len(cases))
	failures := make([]error, len(cases))
	run := func(i int) {
		results[i], failures[i] = runCase(ctx, o, drivers, cases[i], reasons)
		if failures[i] != nil {
			fmt.Fprintln(os.Stderr, "oracle:", failures[i])
			return
		}
		fmt.Print(results[i].summary(o.all))
	}
	slots := make(chan bool, o.jobs)
	var together sync.WaitGroup
	for i, c := range cases {
		if !c.Alone {
			slots <- true
			together.Go(func() {
				run(i)
				<-slots
			})
		}
	}
	together.Wait()
	for i, c := range cases {
		if c.Alone {
			run(i)
		}
	}
	if err := errors.Join(failures...); err != nil {
		return nil, errors.New("not all cases could be run")
	}
	return results, nil
}

// runCase runs a case once more if it has a difference without a reason: what is chance is not so twice.
func runCase(ctx context.Context, o options, drivers []Driver, c Case, reasons []*Reason) (Result, error) {
	result, err := runOnce(ctx, o, drivers, c, reasons)
	if err != nil || len(result.open()) == 0 {
		return result, err
	}
	return runOnce(ctx, o, drivers, c, reasons)
}

// runOnce runs a case on all sides at once.
func runOnce(ctx context.Context, o options, drivers []Driver, c Case, reasons []*Reason) (Result, error) {
	recordings := make([]Recording, len(drivers))
	failures := make([]error, len(drivers))
	var both sync.WaitGroup
	for i, driver := range drivers {
		both.Go(func() { recordings[i], failures[i] = driver.run(ctx, c) })
	}
	both.Wait()
	if o.calls {
		if err := errors.Join(failures...); err != nil {
			return Result{}, err
		}
		return judgeCalls(o, drivers, c, recordings, reasons)
	}
	for _, driver := range drivers {
		failures = append(failures, driver.recorder.keep(o.seen(), c.Name))
	}
	if err := errors.Join(failures...); err != nil {
		return Result{}, err
	}
	kubelet, vertlet := recordings[0], recordings[len(recordings)-1]
	if err := vertlet.write(o.seen()); err != nil {
		return Result{}, err
	}
	if o.recorded {
		recorded, err := readRecording(o.folder("recorded"), c.Name)
		if err != nil {
			return Result{}, fmt.Errorf("the kubelet's side was not recorded: %w", err)
		}
		kubelet = recorded
	} else if o.record {
		if err := kubelet.write(o.folder("recorded")); err != nil {
			return Result{}, err
		}
	}
	return judge(c, kubelet, vertlet, reasons), nil
}
