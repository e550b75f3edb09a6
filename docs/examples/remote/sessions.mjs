// Sessions of a back end: WebSockets in the framing `v5.channel.k8s.io`, with what Node has. A project of your own takes a
// package for WebSockets.

import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import os from 'node:os';

/** Writes, and waits until it is sent: a reader that does not read slows its session down, and costs no memory. */
const written = (stream, bytes) => new Promise((done) => { stream.write(bytes, () => done()); });

export class Session {
  constructor(request, socket, head) {
    this.socket = socket;
    socket.on('error', () => {});
    socket.unshift(head);
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n'
      + `Sec-WebSocket-Accept: ${createHash('sha1').update(key).digest('base64')}\r\n`
      + 'Sec-WebSocket-Protocol: v5.channel.k8s.io\r\n\r\n');
  }

  frame(kind, payload) {
    const { length } = payload;
    const short = length < 126 ? length : length < 65536 ? 126 : 127;
    const head = Buffer.alloc({ 126: 4, 127: 10 }[short] ?? 2);
    head[0] = 0x80 | kind;
    head[1] = short;
    if (short === 126) head.writeUInt16BE(length, 2);
    if (short === 127) head.writeBigUInt64BE(BigInt(length), 2);
    return written(this.socket, Buffer.concat([head, payload]));
  }

  send(channel, data) { return this.frame(2, Buffer.concat([Buffer.from([channel]), Buffer.from(data)])); }

  async close() {
    if (this.closed) return;
    this.closed = true;
    await this.frame(8, Buffer.from([0x03, 0xe8])); // 1000: all is well
  }

  /** What the client sends, as [channel, data], until it closes or is gone. */
  async* messages() {
    let data = Buffer.alloc(0);
    let message = [];
    try {
      for await (const chunk of this.socket) {
        data = Buffer.concat([data, chunk]);
        for (let frame; (frame = firstFrame(data)); data = data.subarray(frame.end)) {
          const { final, kind, payload } = frame;
          if (kind === 8) {
            await this.close();
            return;
          }
          if (kind === 9) await this.frame(10, payload);
          if (kind > 2) continue;
          message.push(payload);
          if (!final) continue;
          const whole = Buffer.concat(message);
          message = [];
          if (whole.length) yield [whole[0], whole.subarray(1)];
        }
      }
    } catch { /* the client is gone */ }
  }
}

function firstFrame(data) {
  if (data.length < 2) return undefined;
  const short = data[1] & 127;
  const mask = short === 127 ? 10 : short === 126 ? 4 : 2;
  if (data.length < mask + 4) return undefined;
  const length = short === 127 ? Number(data.readBigUInt64BE(2)) : short === 126 ? data.readUInt16BE(2) : short;
  const end = mask + 4 + length;
  if (data.length < end) return undefined;
  const payload = Buffer.from(data.subarray(mask + 4, end));
  for (let i = 0; i < length; i++) payload[i] ^= data[mask + i % 4];
  return { final: data[0] >= 128, kind: data[0] & 15, payload, end };
}

/** Connects a command with a session; returns when the client has left. */
export async function runCommand(child, session) {
  const copy = async (source, channel) => { for await (const chunk of source) await session.send(channel, chunk); };
  const copied = Promise.all([copy(child.stdout, 1), copy(child.stderr, 2)]);
  let error;
  child.on('error', (e) => { error = e; });
  child.stdin?.on('error', () => {}); // it has ended without reading all
  child.on('close', async (code, signal) => {
    await copied;
    await session.send(3, JSON.stringify(result(error, code ?? 128 + os.constants.signals[signal])));
    await session.close();
  });
  for await (const [channel, data] of session.messages()) {
    if (channel === 0 && child.stdin) await written(child.stdin, data);
    if (channel === 255 && data[0] === 0) child.stdin?.end();
  }
}

function result(error, code) {
  if (error) return { status: 'Failure', reason: 'InternalError', message: error.message };
  if (code === 0) return { status: 'Success' };
  const details = { causes: [{ reason: 'ExitCode', message: `${code}` }] };
  return { status: 'Failure', reason: 'NonZeroExitCode', message: `command terminated with exit code ${code}`, details };
}

/** Connects a port of this machine with a session. */
export async function forward(port, session) {
  const target = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  target.on('error', (e) => session.send(1, e.message).then(() => session.close()));
  const back = (async () => {
    for await (const chunk of target) await session.send(0, chunk);
    await session.send(255, [0]);
  })().catch(() => {});
  let sent;
  for await (const [channel, data] of session.messages()) {
    if (channel === 0) await written(target, data);
    if (channel === 255) {
      target.end();
      sent ??= back.then(() => session.close());
    }
  }
  target.destroy();
}
