package main

import "testing"

func TestTheVersionIsToldWithoutACluster(t *testing.T) {
	o, err := parse([]string{"--version"})
	if err != nil || !o.version {
		t.Errorf("parse(--version) is %v, %v; want a version and no error", o, err)
	}
	if version() == "" {
		t.Error("there is no version to tell")
	}
}
