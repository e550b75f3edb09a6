package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// maxMessage is a kubelet's limit of a message of a container runtime (maxMsgSize in cri-client/pkg/remote_runtime.go).
const maxMessage = 16 * 1024 * 1024

// rawCodec passes messages on as they are: fields that this program does not know stay in them.
type rawCodec struct{}

func (rawCodec) Marshal(v any) (mem.BufferSlice, error) {
	message, ok := v.(*[]byte)
	if !ok {
		return nil, fmt.Errorf("a message is a %T", v)
	}
	return mem.BufferSlice{mem.SliceBuffer(*message)}, nil
}

func (rawCodec) Unmarshal(data mem.BufferSlice, v any) error {
	message, ok := v.(*[]byte)
	if !ok {
		return fmt.Errorf("a message is a %T", v)
	}
	*message = data.Materialize()
	return nil
}

func (rawCodec) Name() string {
	return "proto"
}

// observer is called before a request goes to the runtime; what it returns is called with the first response, before the client
// gets it, or with the failure of a call without one.
type observer func(method string, request []byte) func(response []byte, failure error)

// Proxy is a socket that passes all calls on to a container runtime.
type Proxy struct {
	server  *grpc.Server
	runtime *grpc.ClientConn
	observe observer
}

// startProxy listens on a socket, and passes what comes there on to that of a runtime.
func startProxy(socket, runtime string, observe observer) (*Proxy, error) {
	if err := os.RemoveAll(socket); err != nil {
		return nil, err
	}
	listener, err := net.Listen("unix", socket)
	if err != nil {
		return nil, err
	}
	connection, err := grpc.NewClient("unix://"+runtime, grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.ForceCodecV2(rawCodec{}), grpc.MaxCallRecvMsgSize(maxMessage), grpc.MaxCallSendMsgSize(maxMessage)))
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	p := &Proxy{runtime: connection, observe: observe}
	p.server = grpc.NewServer(grpc.ForceServerCodecV2(rawCodec{}), grpc.UnknownServiceHandler(p.forward),
		grpc.MaxRecvMsgSize(maxMessage), grpc.MaxSendMsgSize(maxMessage))
	go func() { _ = p.server.Serve(listener) }() // ends with stop, and closes the listener
	return p, nil
}

func (p *Proxy) stop() {
	p.server.Stop()
	_ = p.runtime.Close()
}

// forward passes one call on. A runtime's methods take one request each and give one response or a stream of them.
func (p *Proxy) forward(_ any, client grpc.ServerStream) error {
	method, ok := grpc.MethodFromServerStream(client)
	if !ok {
		return errors.New("the call has no method")
	}
	var request []byte
	if err := client.RecvMsg(&request); err != nil {
		return err
	}
	answered := p.observe(method, request)
	first := true
	done := func(response []byte, failure error) {
		if first {
			first = false
			answered(response, failure)
		}
	}
	err := p.stream(client, method, request, func(response []byte) { done(response, nil) })
	done(nil, err)
	return err
}

func (p *Proxy) stream(client grpc.ServerStream, method string, request []byte, seen func([]byte)) error {
	ctx, cancel := context.WithCancel(client.Context())
	defer cancel()
	headers, _ := metadata.FromIncomingContext(ctx)
	headers = headers.Copy()
	for _, own := range []string{":authority", "content-type", "user-agent"} { // of the connection, not of the call
		headers.Delete(own)
	}
	runtime, err := p.runtime.NewStream(metadata.NewOutgoingContext(ctx, headers), &grpc.StreamDesc{ServerStreams: true}, method)
	if err != nil {
		return err
	}
	if err := runtime.SendMsg(&request); err != nil && !errors.Is(err, io.EOF) { // at the end RecvMsg says why
		return err
	}
	if err := runtime.CloseSend(); err != nil {
		return err
	}
	for {
		var response []byte
		if err := runtime.RecvMsg(&response); err != nil {
			client.SetTrailer(runtime.Trailer())
			if errors.Is(err, io.EOF) {
				return nil
			}
			return status.Convert(err).Err()
		}
		seen(response)
		if err := client.SendMsg(&response); err != nil {
			return err
		}
	}
}
