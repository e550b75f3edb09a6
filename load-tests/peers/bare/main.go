// Command bare does the least that a load test asks of an agent: it makes the nodes of a load Ready, reports the pods
// on them as running, and removes the pods that are deleted. It shows what client-go and the API server cost by
// themselves. It renews no leases, keeps no state and watches over nothing it has done.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"runtime/debug"
	"sync"
	"syscall"
)

const defaultInFlight = 64

// options of the command line.
type options struct {
	kubeconfig string
	nodes      string
	prefix     string
	inFlight   int
	version    bool
}

func main() {
	options, err := parse(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bare:", err)
		os.Exit(2)
	}
	if options.version {
		fmt.Println(version())
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, options); err != nil {
		log.Fatal(err)
	}
}

// version is that of what its figures are of: it has none of its own.
func version() string {
	if build, ok := debug.ReadBuildInfo(); ok {
		for _, module := range build.Deps {
			if module.Path == "k8s.io/client-go" {
				return "bare with client-go " + module.Version
			}
		}
	}
	return "bare with an unknown client-go"
}

func parse(arguments []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("bare", flag.ContinueOnError)
	flags.StringVar(&o.kubeconfig, "kubeconfig", "", "the kubeconfig `file` of the cluster (required)")
	flags.StringVar(&o.nodes, "nodes", "", "the label `selector` of the nodes to make Ready (required)")
	flags.StringVar(&o.prefix, "prefix", "", "what the `names` of these nodes begin with, and no others do (required)")
	flags.IntVar(&o.inFlight, "in-flight", defaultInFlight, "how many writes are under way at once, 1 or more")
	flags.BoolVar(&o.version, "version", false, "tells the client-go it is built with, and ends")
	if err := flags.Parse(arguments); err != nil || o.version {
		return o, err
	}
	switch {
	case flags.NArg() > 0:
		return o, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case o.kubeconfig == "":
		return o, errors.New("--kubeconfig is required: a kubeconfig file")
	case o.nodes == "":
		return o, errors.New("--nodes is required: the label selector of the nodes to make Ready")
	case o.prefix == "":
		return o, errors.New("--prefix is required: what the names of these nodes begin with")
	case o.inFlight < 1:
		return o, fmt.Errorf("--in-flight is %d, must be 1 or more", o.inFlight)
	}
	return o, nil
}

// run returns when ctx ends; what is under way then is given up.
func run(ctx context.Context, o options) error {
	client, err := connect(o.kubeconfig)
	if err != nil {
		return err
	}
	writes := newWriter(client)
	var all sync.WaitGroup
	for range o.inFlight {
		all.Go(func() { writes.run(ctx) })
	}
	all.Go(func() { watchNodes(ctx, client, o.nodes, writes).RunWithContext(ctx) })
	all.Go(func() { watchPods(ctx, client, o.prefix, writes).RunWithContext(ctx) })
	log.Printf("bare: serves the nodes %s with %d writes in flight", o.nodes, o.inFlight)
	all.Wait()
	return nil
}
