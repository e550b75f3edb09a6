// Command virtual-kubelet-raised runs virtual-kubelet's own node and pod controllers for one node as its
// cmd/virtual-kubelet does, but for their limits, which that command has no flags for: client-go's 5 requests per
// second, and the 10 pods per second of each work queue.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/sirupsen/logrus"
	"github.com/virtual-kubelet/virtual-kubelet/log"
	logruslogger "github.com/virtual-kubelet/virtual-kubelet/log/logrus"
)

const defaultWorkers = 64

// options of the command line.
type options struct {
	kubeconfig string
	node       string
	workers    int
	version    bool
}

func main() {
	options, err := parse(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "virtual-kubelet-raised:", err)
		os.Exit(2)
	}
	if options.version {
		fmt.Println(version())
		return
	}
	logrus.SetLevel(logrus.WarnLevel)
	log.L = logruslogger.FromLogrus(logrus.NewEntry(logrus.StandardLogger()))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, options); err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, "virtual-kubelet-raised:", err)
		os.Exit(1)
	}
}

// version is that of what its figures are of: it has none of its own.
func version() string {
	if build, ok := debug.ReadBuildInfo(); ok {
		for _, module := range build.Deps {
			if module.Path == "github.com/virtual-kubelet/virtual-kubelet" {
				return "virtual-kubelet-raised with virtual-kubelet " + module.Version
			}
		}
	}
	return "virtual-kubelet-raised with an unknown virtual-kubelet"
}

func parse(arguments []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("virtual-kubelet-raised", flag.ContinueOnError)
	flags.StringVar(&o.kubeconfig, "kubeconfig", "", "the kubeconfig `file` of the cluster (required)")
	flags.StringVar(&o.node, "nodename", "", "the `name` of the one node to serve (required)")
	flags.IntVar(&o.workers, "pod-sync-workers", defaultWorkers, "workers of each of the three queues, 1 or more")
	flags.BoolVar(&o.version, "version", false, "tells the virtual-kubelet it is built with, and ends")
	if err := flags.Parse(arguments); err != nil || o.version {
		return o, err
	}
	switch {
	case flags.NArg() > 0:
		return o, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case o.kubeconfig == "":
		return o, errors.New("--kubeconfig is required: a kubeconfig file")
	case o.node == "":
		return o, errors.New("--nodename is required: the name of the node to serve")
	case o.workers < 1:
		return o, fmt.Errorf("--pod-sync-workers is %d, must be 1 or more", o.workers)
	}
	return o, nil
}
