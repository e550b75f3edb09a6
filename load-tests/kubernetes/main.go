// Command kubernetes is a whole Kubernetes control plane in one binary: etcd, kube-apiserver, kube-controller-manager,
// kube-scheduler and kubectl. The program to run is chosen by the name the binary is called by, so that a folder of
// symbolic links to it serves as KUBEBUILDER_ASSETS, or else by the first argument.
//
// The programs are the upstream ones, linked from their own modules; nothing in them is changed. It is one binary and
// not five because they share nearly all of their code, which is then linked and stored once.
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	_ "time/tzdata" // CronJobs name time zones, also on hosts without a time zone database

	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	kubectl "k8s.io/kubectl/pkg/cmd"
	kubectlutil "k8s.io/kubectl/pkg/cmd/util"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	manager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
)

// A program takes its arguments from os.Args, as its upstream main does, and returns the exit code.
var programs = map[string]func() int{
	"etcd": func() int {
		etcdmain.Main(os.Args)
		return 0
	},
	"kube-apiserver":          func() int { return cli.Run(apiserver.NewAPIServerCommand()) },
	"kube-controller-manager": func() int { return cli.Run(manager.NewControllerManagerCommand()) },
	"kube-scheduler":          func() int { return cli.Run(scheduler.NewSchedulerCommand()) },
	"kubectl": func() int {
		// kubectl words its own errors and chooses its own exit code for them.
		kubectlutil.CheckErr(cli.RunNoErrOutput(kubectl.NewDefaultKubectlCommand()))
		return 0
	},
}

const usage = `A Kubernetes control plane in one binary.

Usage:
  kubernetes PROGRAM [flags]   run PROGRAM
  PROGRAM [flags]              the same, through a link of that name

Programs:
  etcd                      the store
  kube-apiserver            the API server
  kube-controller-manager   the controllers of workloads, nodes and garbage
  kube-scheduler            binds pods to nodes
  kubectl                   the command line client

"kubernetes PROGRAM --help" lists a program's flags.
`

func main() {
	name := filepath.Base(os.Args[0])
	if _, called := programs[name]; !called {
		if len(os.Args) < 2 {
			printUsage(os.Stderr, 2)
		}
		name = os.Args[1]
		os.Args = os.Args[1:]
	}
	switch run, known := programs[name]; {
	case known:
		os.Exit(run())
	case name == "help" || name == "-h" || name == "--help":
		printUsage(os.Stdout, 0)
	default:
		fmt.Fprintf(os.Stderr, "unknown program %q\n\n", name)
		printUsage(os.Stderr, 2)
	}
}

func printUsage(to io.Writer, code int) {
	fmt.Fprint(to, usage)
	os.Exit(code)
}
