#!/usr/bin/env python3
"""A back end of vertlet's provider `remote` for whole pods: every container is a process of this machine.

    python3 pods.py

Nothing is isolated: an image is only a name, so each container needs a command, and a user who may create pods runs
commands here. Volumes of ConfigMaps, Secrets and tokens are files below $VERTLET_ROOT; the pod's address is this machine's.
"""
import operator
import shutil
import signal
import tempfile
import threading
import time

import backend
from backend import CHANGED, CLOCK, OPTIONS, Instance, changed, kill, now

PODS = {}  # by UID


class Container:
    def __init__(self, pod, spec, restarts):
        self.pod, self.spec, self.name, self.image, self.restarts = pod, spec, spec["name"], spec["image"], restarts
        self.state, self.last, self.id, self.ready = {"waiting": {"reason": "ContainerCreating"}}, None, None, False
        self.instance = self.previous = None

    def run(self):
        """Runs the container until it has ended for good; True if its last exit code was 0."""
        delay, code = 1, 0
        while not self.pod.grace:
            began = time.time()
            code = self.once()
            policy = self.spec.get("restartPolicy") or self.pod.spec.get("restartPolicy", "Always")
            if self.pod.grace or policy == "Never" or (code == 0 and policy != "Always"):
                break
            delay = 1 if time.time() - began > 600 else min(delay * 2, 300)
            with CHANGED:
                self.last = self.state
                self.state = {"waiting": {"reason": "CrashLoopBackOff", "message": f"back-off {delay}s restarting failed container"}}
                self.pod.report()
                CHANGED.wait_for(lambda: self.pod.grace, delay)
                self.restarts += 1
        return code == 0

    def once(self):
        with CHANGED:
            if self.pod.grace:
                return 137
            began, self.id = now(), f"process://{self.pod.uid}/{self.name}/{self.restarts}"
            self.previous, self.instance = self.instance, Instance(self.spec, self.pod.root)
            try:
                self.instance.begin()
            except (OSError, TypeError, ValueError) as e:
                return self.end({"exitCode": 128, "reason": "StartError", "message": str(e), "startedAt": began})
            self.state, self.ready = {"running": {"startedAt": began}}, "readinessProbe" not in self.spec
            self.pod.report()
        for kind in ("readinessProbe", "livenessProbe"):
            if kind in self.spec:
                threading.Thread(target=self.probe, args=(self.instance, kind), daemon=True).start()
        code = self.instance.wait()
        with CHANGED:
            return self.end({"exitCode": code, "reason": "Error" if code else "Completed", "startedAt": began})

    def end(self, terminated):
        self.state, self.ready = {"terminated": {**terminated, "finishedAt": now(), "containerID": self.id}}, False
        self.pod.report()
        return terminated["exitCode"]

    def probe(self, instance, kind):
        probe, failures = self.spec[kind], 0
        time.sleep(probe.get("initialDelaySeconds", 0))
        while instance.running():
            failures = 0 if instance.healthy(probe, probe.get("timeoutSeconds", 1)) else failures + 1
            with CHANGED:
                if failures >= probe.get("failureThreshold", 3) and kind == "livenessProbe":
                    return instance.stop(self.pod.spec.get("terminationGracePeriodSeconds", 30))
                wanted = self.ready and failures < probe.get("failureThreshold", 3) or not failures
                if kind == "readinessProbe" and instance.running() and self.ready != wanted:
                    self.ready = wanted
                    self.pod.report()
            time.sleep(probe.get("periodSeconds", 10))

    def status(self):
        return {"name": self.name, "image": self.image, "imageID": self.image, "restartCount": self.restarts,
                "ready": self.ready, "started": "running" in self.state, "state": self.state,
                **({"containerID": self.id} if self.id else {}), **({"lastState": self.last} if self.last else {})}


class Pod:
    def __init__(self, uid, body):
        self.uid, self.grace, self.finished, self.dead, self.late = uid, 0, False, False, False
        self.began, self.start = now(), time.time()
        counts = body.get("restartCounts", {})
        self.init, self.main = ([Container(self, spec, counts.get(spec["name"], 0)) for spec in body["pod"]["spec"].get(key, [])]
                                for key in ("initContainers", "containers"))
        self.root = tempfile.mkdtemp(prefix="vertlet-pod-")
        self.take(body)

    def take(self, body):
        """Takes a newer version of the pod."""
        self.meta, self.spec = body["pod"]["metadata"], body["pod"]["spec"]
        self.generation, self.fingerprint, self.node = int(operator.index(body["generation"])), body["fingerprint"], body["node"]
        backend.write_volumes(self.root, self.spec["containers"], body.get("volumes", {}))
        if "activeDeadlineSeconds" in self.spec:  # a newer version may only have an earlier one
            timer = threading.Timer(self.start + self.spec["activeDeadlineSeconds"] - time.time(), self.expire)
            timer.daemon = True
            timer.start()

    def expire(self):
        with CHANGED:
            self.late = not self.finished and not self.grace
            if self.late:
                self.stop(max(1, self.spec.get("terminationGracePeriodSeconds", 30)))

    def run(self):
        for container in self.init:
            if container.spec.get("restartPolicy") == "Always":
                threading.Thread(target=container.run).start()
            elif not container.run():
                break
        else:
            threads = [threading.Thread(target=container.run) for container in self.main]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        with CHANGED:
            self.stop(self.grace or 30)
            CHANGED.wait_for(lambda: not any("running" in c.state for c in self.init + self.main))
            for container in self.init + self.main:
                if "waiting" in container.state:
                    container.state = {"terminated": {"exitCode": 137, "reason": "ContainerStatusUnknown", "finishedAt": now()}}
            self.finished = True
            self.report()
        shutil.rmtree(self.root, ignore_errors=True)

    def stop(self, grace):
        """Ends the pod's processes, by force after the grace period. Hold CHANGED."""
        self.grace = min(self.grace or grace, grace)
        for container in self.init + self.main:
            if container.instance:
                container.instance.stop(grace)
        CHANGED.notify_all()

    def report(self):
        """Publishes the pod's state. Hold CHANGED."""
        if not self.dead:
            self.revision = changed("pod")
            backend.CHANGES[-1][1]["pod"] = self.state()

    def state(self):
        started = any(c.id for c in self.init + self.main)
        late = {"reason": "DeadlineExceeded", "message": "Pod was active on the node longer than the specified deadline"}
        failed = self.late or any(c.state.get("terminated", {}).get("exitCode", 1) for c in self.main)
        phase = ("Failed" if failed else "Succeeded") if self.finished else "Running" if any(c.id for c in self.main) else "Pending"
        return {"uid": self.uid, "namespace": self.meta["namespace"], "name": self.meta["name"], "node": self.node,
                "generation": self.generation, "fingerprint": self.fingerprint, "revision": self.revision, "finished": self.finished,
                "status": {"phase": phase, "startTime": self.began, **(late if self.late else {}), **({"podIP": OPTIONS.address} if started else {}),
                           "initContainerStatuses": [c.status() for c in self.init],
                           "containerStatuses": [c.status() for c in self.main]}}


class Pods(backend.Api):
    def get_pods(self, uid=None):
        with CHANGED:
            states = {pod.uid: pod.state() for pod in PODS.values()}
            cursor = str(CLOCK["revision"])
        if uid:
            return self.answer(200, states[uid]) if uid in states else self.fail(404, "NotFound", f"there is no pod {uid}")
        if self.headers.get("If-None-Match") == f'"{cursor}"':
            return self.answer(304, ETag=f'"{cursor}"')
        self.answer(200, {"cursor": cursor, "pods": list(states.values())}, ETag=f'"{cursor}"')

    def put_pods(self, uid):
        for spec in self.body["pod"]["spec"]["containers"]:
            if not spec.get("command") and not spec.get("args"):
                return self.fail(422, "CommandMissing", f"container {spec['name']} must have a command: images are only names here")
        with CHANGED:
            pod = PODS.get(uid)
            if pod and self.body["generation"] < pod.generation:
                return self.fail(409, "Conflict", f"generation {pod.generation} is here already")
            if pod:
                pod.take(self.body)
            else:
                pod = PODS[uid] = Pod(uid, self.body)
                threading.Thread(target=pod.run).start()
            pod.report()
            state = pod.state()
        self.answer(200, state)

    def patch_pods(self, uid):
        with CHANGED:
            if uid not in PODS:
                return self.fail(404, "NotFound", f"there is no pod {uid}")
            backend.write_volumes(PODS[uid].root, PODS[uid].spec["containers"], self.body["volumes"])
        self.answer(204)

    def delete_pods(self, uid):
        grace = int(self.asked("gracePeriodSeconds", 30))
        with CHANGED:
            if uid not in PODS:
                return self.fail(404, "NotFound", f"there is no pod {uid}")
            PODS[uid].stop(grace or 1)
            if not grace:
                PODS.pop(uid).dead = True
                backend.gone(uid)
        self.answer(202 if grace else 204)

    def find(self, uid, name):
        """The instance of a container that a client asks for, or the pod."""
        pod = PODS.get(uid)
        if not name or not pod:
            return pod
        container = next((c for c in pod.main + pod.init if c.name == name), None)
        return container and (container.previous if self.asked("previous") == "true" else container.instance)

    def instances(self, node):
        return [((p.uid, p.meta["namespace"], p.meta["name"]), c.instance)
                for p in PODS.values() if p.node == node for c in p.main if c.instance]


def end():
    for container in [c for pod in PODS.values() for c in pod.init + pod.main if c.instance and c.instance.process]:
        kill(container.instance.process, signal.SIGKILL)


if __name__ == "__main__":
    backend.serve(Pods, __doc__, end)
