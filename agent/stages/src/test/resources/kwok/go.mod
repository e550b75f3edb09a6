module dev.vertlet/stages-test

go 1.21

require sigs.k8s.io/kwok v0.8.0
