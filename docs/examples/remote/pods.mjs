// A back end of vertlet's provider `remote` for whole pods, in Node 18 or newer: every container is a process of this machine.
//
//     node pods.mjs [--port 8099]
//
// It has pods, the event stream, nodes, logs, exec and port-forward. Left out are attach, terminals, content of volumes, usage
// and probes: a container that runs is ready. Nothing is isolated: an image is only a name, so each container needs a command,
// and a user who may create pods runs commands here.

import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, STATUS_CODES } from 'node:http';
import os from 'node:os';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { forward, runCommand, Session } from './sessions.mjs';

const KEPT = 10_000; // newest changes, and lines of a log
const LINE_BYTES = 64 * 1024; // a longer line is kept in parts
const HEARTBEAT_MS = 5000;

class Failure extends Error {
  constructor(status, reason, message) {
    super(message);
    Object.assign(this, { status, reason });
  }
}

/** The newest entries of a sequence, for readers that follow it. */
class Tail {
  entries = [];
  first = 0; // number of the oldest entry
  ended = false;

  constructor() { this.tell(); }

  get next() { return this.first + this.entries.length; }

  add(entry) {
    this.entries.push(entry);
    if (this.entries.length > KEPT) this.first += this.entries.splice(0, KEPT / 10).length;
    this.tell();
  }

  from(number) { return this.entries.slice(Math.max(0, number - this.first)); }

  end() {
    this.ended = true;
    this.tell();
  }

  tell() {
    this.wake?.(true);
    this.changed = new Promise((wake) => { this.wake = wake; });
  }

  /** Whether something comes, or it ends, within the time. */
  wait(ms) { return Promise.race([this.changed, sleep(ms, false, { ref: false })]); }
}

// ---- the event stream

const started = Date.now(); // a cursor of an earlier start is unknown
const changes = new Tail();
let revision = 0;

const cursor = (number) => `${started}-${number}`;
const nextRevision = () => (revision = Math.max(revision + 1, Date.now() * 1000));

async function* events(from, response) {
  const line = (event) => `${JSON.stringify({ ...event, cursor: cursor(from) })}\n`;
  while (!response.destroyed && from >= changes.first) {
    for (const event of changes.from(from)) {
      from++;
      yield line(event);
    }
    if (from === changes.next && !(await changes.wait(HEARTBEAT_MS))) yield line({ type: 'heartbeat' });
  }
}

// ---- pods and containers

function killGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch { /* nothing is left of it */ }
}

const MARK = 'VERTLET_BACK_END';
const mark = () => `127.0.0.1:${server.address().port}`;

/** Kills the processes that an earlier run of this program left behind because it was killed itself. */
function endOrphans() {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
      if (environment.includes(`${MARK}=${mark()}`)) process.kill(Number(pid), 'SIGKILL');
    } catch { /* it has just ended, or is another user's */ }
  }
}

function kill(child, signal) {
  if (child?.pid && child.exitCode === null && child.signalCode === null) killGroup(child, signal);
}

async function keepLines(source, stream, log) {
  let rest = Buffer.alloc(0);
  const keep = (length) => {
    log.add({ stream, time: new Date(), text: Buffer.from(rest.subarray(0, length)) });
    rest = rest.subarray(length);
  };
  for await (const chunk of source) {
    rest = Buffer.concat([rest, chunk]);
    while (rest.includes('\n')) keep(rest.indexOf('\n') + 1);
    if (rest.length > LINE_BYTES) keep(rest.length);
  }
  if (rest.length > 0) keep(rest.length);
}

async function* readLog(log, query, response) {
  const stream = query.get('stream') ?? 'All';
  const since = new Date(query.get('sinceTime') ?? 0);
  const wanted = (line) => (stream === 'All' || stream === line.stream) && line.time >= since;
  const stamp = ({ time }) => (query.get('timestamps') === 'true' ? `${time.toISOString().replace('Z', '000000Z')} ` : '');
  let left = Number(query.get('limitBytes') ?? Infinity);
  let { next } = log;
  let lines = log.from(0).filter(wanted);
  if (query.has('tailLines')) lines = lines.slice(Math.max(0, lines.length - query.get('tailLines')));
  for (;;) {
    for (const line of lines) {
      const bytes = Buffer.concat([Buffer.from(stamp(line)), line.text]).subarray(0, left);
      yield bytes;
      left -= bytes.length;
      if (left === 0) return;
    }
    if (query.get('follow') !== 'true' || response.destroyed || (log.ended && next === log.next)) return;
    if (next === log.next) await log.wait(HEARTBEAT_MS);
    lines = log.from(next).filter(wanted);
    next = log.next;
  }
}

class Container {
  state = { waiting: { reason: 'ContainerCreating' } };

  constructor(pod, spec, restartCount = 0) {
    Object.assign(this, { pod, spec, restartCount });
  }

  /** Runs it as often as the policy says; returns when it does not run any more. */
  async run(policy) {
    for (let delay = 1; ; delay = Math.min(2 * delay, 300)) {
      if (this.pod.ending) return;
      const { exitCode } = await this.runOnce();
      if (this.pod.ending || policy === 'Never' || (policy === 'OnFailure' && exitCode === 0)) return;
      const ended = this.state;
      this.state = { waiting: { reason: 'CrashLoopBackOff', message: `back-off ${delay}s` } };
      this.pod.change();
      await sleep(1000 * delay, undefined, { signal: this.pod.ends.signal }).catch(() => {});
      if (this.pod.ending) {
        this.state = ended;
        return;
      }
      this.lastState = ended;
      this.restartCount++;
    }
  }

  async runOnce() {
    this.previousLog = this.log;
    const log = this.log = new Tail();
    const child = this.child = this.spawn([...(this.spec.command ?? []), ...(this.spec.args ?? [])], 'ignore');
    const startedAt = new Date().toISOString();
    if (child.pid) this.state = { running: { startedAt } };
    this.pod.change();
    let error;
    child.on('error', (e) => { error = e; });
    child.on('exit', () => killGroup(child, 'SIGKILL'));
    keepLines(child.stdout, 'Stdout', log);
    keepLines(child.stderr, 'Stderr', log);
    const [code, signal] = await new Promise((done) => { child.on('close', (...end) => done(end)); });
    log.end();
    const exitCode = error ? 128 : code ?? 128 + os.constants.signals[signal];
    const reason = error ? 'StartError' : exitCode === 0 ? 'Completed' : 'Error';
    this.state = { terminated: { exitCode, reason, message: error?.message, startedAt, finishedAt: new Date().toISOString() } };
    this.pod.change();
    return this.state.terminated;
  }

  spawn([program, ...args], stdin) {
    const env = Object.fromEntries((this.spec.env ?? []).map(({ name, value }) => [name, value ?? '']));
    const { PATH, HOME } = process.env;
    const options = { cwd: this.spec.workingDir, env: { PATH, HOME, ...env, [MARK]: mark() }, stdio: [stdin, 'pipe', 'pipe'] };
    return spawn(program, args, { ...options, detached: true }); // in a process group of its own
  }

  status() {
    const { spec: { name, image }, restartCount, state, lastState, child } = this;
    const running = 'running' in state;
    const containerID = child?.pid && `process://${child.pid}`;
    return { name, image, imageID: image, containerID, restartCount, state, lastState, ready: running, started: running };
  }
}

class Pod {
  ends = new AbortController();
  finished = false;

  constructor({ pod, restartCounts = {} }) {
    const { spec } = pod;
    const make = (container) => new Container(this, container, restartCounts[container.name]);
    this.metadata = pod.metadata;
    this.init = (spec.initContainers ?? []).map(make);
    this.containers = spec.containers.map(make);
    this.policy = spec.restartPolicy ?? 'Always';
    this.startedAt = Date.now();
  }

  get ending() { return this.ends.signal.aborted; }

  /** Takes a newer version; what runs stays. */
  take({ generation, fingerprint, node, pod: { spec } }) {
    Object.assign(this, { generation, fingerprint, node });
    if (spec.activeDeadlineSeconds) { // a newer version may only have an earlier one
      const left = this.startedAt + 1000 * spec.activeDeadlineSeconds - Date.now();
      setTimeout(() => this.expire(spec.terminationGracePeriodSeconds ?? 30), Math.min(left, 2 ** 31 - 1)).unref();
    }
    this.change();
  }

  expire(seconds) {
    if (this.finished || this.ending) return;
    this.late = { reason: 'DeadlineExceeded', message: 'Pod was active on the node longer than the specified deadline' };
    this.end(seconds);
  }

  async run() {
    for (const container of this.init) {
      await container.run(this.policy === 'Never' ? 'Never' : 'OnFailure');
      if (container.state.terminated?.exitCode !== 0) break;
    }
    if (this.init.every(({ state }) => state.terminated?.exitCode === 0)) {
      await Promise.all(this.containers.map((container) => container.run(this.policy)));
    }
    this.finished = true;
    this.change();
  }

  end(seconds) {
    this.ends.abort();
    const all = [...this.init, ...this.containers];
    for (const { child } of all) kill(child, seconds > 0 ? 'SIGTERM' : 'SIGKILL');
    setTimeout(() => all.forEach(({ child }) => kill(child, 'SIGKILL')), 1000 * seconds).unref();
  }

  phase() {
    const all = [...this.init, ...this.containers];
    if (this.finished) return !this.late && all.every(({ state }) => state.terminated?.exitCode === 0) ? 'Succeeded' : 'Failed';
    return this.containers.some(({ log }) => log) ? 'Running' : 'Pending';
  }

  change() {
    this.revision = nextRevision();
    if (pods.get(this.metadata.uid) === this) changes.add({ type: 'pod', pod: this.state() });
  }

  state() {
    const { metadata: { uid, namespace, name }, node, generation, fingerprint, revision, finished } = this;
    const status = {
      phase: this.phase(),
      ...this.late,
      podIP: '127.0.0.1',
      initContainerStatuses: this.init.map((container) => container.status()),
      containerStatuses: this.containers.map((container) => container.status()),
    };
    return { uid, namespace, name, node, generation, fingerprint, revision, finished, status };
  }

  container(name) {
    const found = [...this.init, ...this.containers].find(({ spec }) => spec.name === name);
    if (!found) throw new Failure(404, 'NotFound', `pod ${this.metadata.name} has no container ${name}`);
    return found;
  }
}

const pods = new Map();

function podOf(uid) {
  const pod = pods.get(uid);
  if (!pod) throw new Failure(404, 'NotFound', `there is no pod ${uid}`);
  return pod;
}

function put(uid, request) {
  if (!Number.isInteger(request.generation)) throw new Failure(400, 'InvalidRequest', 'generation must be a whole number');
  const known = pods.get(uid);
  if (known) {
    if (request.generation < known.generation) throw new Failure(409, 'Conflict', 'a newer version is here');
    if (request.generation > known.generation) known.take(request);
    return known.state();
  }
  if (JSON.stringify(request.pod.spec).includes('\\u0000')) throw new Failure(422, 'NulByte', 'processes take no NUL');
  const { initContainers = [], containers } = request.pod.spec;
  for (const { name, image, command = [], args = [], workingDir = '', restartPolicy } of [...initContainers, ...containers]) {
    if ([name, image, workingDir, ...command, ...args].some((word) => typeof word !== 'string')) {
      throw new Failure(400, 'InvalidRequest', `container ${name} must have texts`);
    }
    if (command.length + args.length === 0) throw new Failure(422, 'NoCommand', `container ${name} needs a command`);
    if (restartPolicy) throw new Failure(422, 'Sidecar', `container ${name}: init containers run to their end here`);
  }
  const pod = new Pod(request);
  pods.set(uid, pod);
  pod.take(request);
  pod.run().catch(console.error); // a pod that makes no sense harms no other
  return pod.state();
}

function remove(uid, seconds) {
  const pod = podOf(uid);
  pod.end(seconds);
  if (seconds > 0) return 202;
  pods.delete(uid);
  changes.add({ type: 'gone', uid, revision: nextRevision() });
  return 204;
}

function node(name) {
  if (!name) throw new Failure(400, 'InvalidRequest', 'name must be that of a node');
  const capacity = { cpu: `${os.cpus().length}`, memory: `${Math.floor(os.totalmem() / 1024)}Ki`, pods: '110' };
  return { metadata: { name }, status: { capacity, allocatable: capacity } };
}

/** Checks whether a session can begin, and returns what runs it. */
function sessionOf({ pathname, searchParams: query }) {
  const [, , kind, uid, part, name, verb] = pathname.split('/').map(decodeURIComponent);
  if (kind === 'pods' && part === 'portforward') {
    podOf(uid);
    return (accept) => forward(Number(query.get('port')), accept());
  }
  const container = podOf(uid).container(name);
  if (verb !== 'exec') throw new Failure(501, 'NotImplemented', `no ${verb} here`);
  if (query.get('tty') === 'true') throw new Failure(501, 'NotImplemented', 'no terminals here: leave out -t');
  if (!container.state.running) throw new Failure(400, 'NotRunning', `container ${name} does not run`);
  return (accept) => {
    const child = container.spawn(query.getAll('command'), query.get('stdin') === 'true' ? 'pipe' : 'ignore');
    return runCommand(child, accept()).finally(() => kill(child, 'SIGKILL'));
  };
}

// ---- HTTP

async function answer(request, response) {
  const url = new URL(request.url, 'http://localhost');
  const query = url.searchParams;
  const [, version, kind, uid, part, name, verb] = url.pathname.split('/').map(decodeURIComponent);
  const json = (status, body) => response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  const route = `${request.method} ${version}/${kind}${uid ? '/{uid}' : ''}${part ? `/${verb ?? part}` : ''}`;
  switch (route) {
    case 'GET v1/pods': return json(200, { cursor: cursor(changes.next), pods: [...pods.values()].map((pod) => pod.state()) });
    case 'GET v1/pods/{uid}': return json(200, podOf(uid).state());
    case 'PUT v1/pods/{uid}': return json(200, put(uid, JSON.parse(await bodyOf(request))));
    case 'DELETE v1/pods/{uid}': return response.writeHead(remove(uid, Number(query.get('gracePeriodSeconds')))).end();
    case 'GET v1/node': return json(200, node(query.get('name')));
    case 'GET v1/events': {
      const [start, number] = (query.get('from') ?? '').split('-').map(Number);
      if (start !== started || number < changes.first) throw new Failure(410, 'Gone', 'this cursor is unknown');
      response.writeHead(200, { 'Content-Type': 'application/x-ndjson' }).flushHeaders();
      return pipeline(events(number, response), response);
    }
    case 'GET v1/pods/{uid}/logs': {
      const container = podOf(uid).container(name);
      const log = query.get('previous') === 'true' ? container.previousLog : container.log;
      if (!log) throw new Failure(400, 'NoLog', `container ${name} has no such log`);
      response.writeHead(200, { 'Content-Type': 'text/plain' }).flushHeaders();
      return pipeline(readLog(log, query, response), response);
    }
    case 'GET v1/pods/{uid}/exec':
    case 'GET v1/pods/{uid}/portforward':
      sessionOf(url);
      throw new Failure(426, 'UpgradeRequired', 'a WebSocket is needed');
    default:
      throw new Failure(404, undefined, `no ${request.method} ${url.pathname} here`);
  }
}

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function failed(error, write) {
  const senseless = [SyntaxError, TypeError, URIError].some((kind) => error instanceof kind);
  const status = error.status ?? (senseless ? 400 : 500);
  if (status === 500) console.error(error);
  write(status, JSON.stringify({ reason: error.reason, message: error.message }));
}

const server = createServer((request, response) => {
  answer(request, response).catch((error) => {
    if (response.headersSent) response.destroy(); // the client has left
    else failed(error, (status, body) => response.writeHead(status, { 'Content-Type': 'application/json' }).end(body));
  });
});

server.on('upgrade', (request, socket, head) => {
  try {
    const run = sessionOf(new URL(request.url, 'http://localhost'));
    run(() => new Session(request, socket, head)).finally(() => socket.end());
  } catch (error) {
    failed(error, (status, body) => socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n`
      + `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`));
  }
});

function leave() {
  for (const pod of pods.values()) pod.end(0);
  process.exit(0);
}
process.on('SIGINT', leave);
process.on('SIGTERM', leave);

const { values: { port } } = parseArgs({ options: { port: { type: 'string', default: '8099' } } });
server.listen(Number(port), '127.0.0.1', () => {
  endOrphans();
  console.log(`listening on http://${mark()}`);
});
