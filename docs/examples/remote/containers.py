#!/usr/bin/env python3
"""A back end of vertlet's provider `remote` for single containers: every container is a process of this machine.

    python3 containers.py

Restarts, back-off, probes, order and phases are vertlet's; this program starts and stops processes. Nothing is isolated, as
in pods.py; each pod has an address of its own in 127.1.0.0/16, which reaches whatever its processes listen on.
"""
import collections
import itertools
import operator
import shutil
import signal
import tempfile
import threading

import backend
from backend import CHANGED, CLOCK, Instance, changed, kill, now

SANDBOXES = {}  # by UID
IMAGES = {}  # by node and image
ENDED = collections.deque(maxlen=1000)  # containers of sandboxes that are gone, for their logs
ADDRESSES = itertools.count(1)


class Container(Instance):
    def __init__(self, sandbox, body):
        super().__init__(body["container"], sandbox.root)
        self.sandbox, self.attempt, self.image_id = sandbox, int(operator.index(body["attempt"])), body["imageID"]
        self.name, self.began = self.spec["name"], now()
        self.id = f"process://{sandbox.uid}/{sandbox.attempt}/{self.name}/{self.attempt}"
        self.state = {"running": {"startedAt": self.began}}

    def run(self):
        code = self.wait()
        with CHANGED:
            self.state = {"terminated": {"exitCode": code, "reason": "Error" if code else "Completed", "startedAt": self.began,
                                         "finishedAt": now(), "containerID": self.id}}
            self.sandbox.report()

    def json(self):
        return {"id": self.id, "name": self.name, "attempt": self.attempt, "image": self.spec["image"], "imageID": self.image_id,
                "state": self.state}


class Sandbox:
    def __init__(self, uid, body):
        number = next(ADDRESSES)
        self.uid, self.meta, self.node, self.attempt = uid, body["pod"]["metadata"], body["node"], int(operator.index(body["attempt"]))
        self.ip, self.dead = f"127.1.{number >> 8 & 255}.{number & 255}", False
        self.specs, self.root, self.containers = body["pod"]["spec"]["containers"], tempfile.mkdtemp(prefix="vertlet-pod-"), []
        backend.write_volumes(self.root, self.specs, body.get("volumes", {}))

    def report(self):
        """Publishes the state. Hold CHANGED."""
        if not self.dead:
            self.revision = changed("sandbox")
            backend.CHANGES[-1][1]["sandbox"] = self.json()

    def json(self):
        return {"uid": self.uid, "namespace": self.meta["namespace"], "name": self.meta["name"], "node": self.node,
                "revision": self.revision, "sandbox": {"id": f"process://{self.uid}/{self.attempt}", "attempt": self.attempt, "ips": [self.ip]},
                "containers": [c.json() for c in self.containers]}

    def remove(self):
        """Ends all containers and forgets them."""
        for container in self.containers:
            container.stop(1)
        for container in self.containers:
            with CHANGED:
                CHANGED.wait_for(lambda: "running" not in container.state)
                ENDED.append(container)
        shutil.rmtree(self.root, ignore_errors=True)


class Containers(backend.Api):
    def locate(self, uid, container=None):
        """The sandbox, and the instance that the request names; answers 404 if there is none."""
        sandbox = SANDBOXES.get(uid)
        wanted = self.body.get("containerId") or self.asked("containerId")
        found = sandbox and next((c for c in sandbox.containers if c.id == wanted), None)
        if not sandbox or container and not found:
            self.fail(404, "NotFound", f"there is no container {wanted} of pod {uid}" if sandbox else f"there is no sandbox of pod {uid}")
        return sandbox, found

    def get_sandboxes(self, uid=None):
        with CHANGED:
            states = {sandbox.uid: sandbox.json() for sandbox in SANDBOXES.values()}
            cursor = str(CLOCK["revision"])
        if uid:
            return self.answer(200, states[uid]) if uid in states else self.fail(404, "NotFound", f"there is no sandbox of pod {uid}")
        self.answer(200, {"cursor": cursor, "sandboxes": list(states.values())})

    def put_sandboxes(self, uid, _=None, name=None):
        if name:
            return self.start(uid)
        with CHANGED:
            old = SANDBOXES.get(uid)
            if not old or old.attempt < self.body["attempt"]:
                SANDBOXES[uid] = Sandbox(uid, self.body)
                SANDBOXES[uid].report()
            state = SANDBOXES[uid].json()
        if old and old is not SANDBOXES.get(uid):
            old.dead = True
            old.remove()
        self.answer(200, state)

    def start(self, uid):
        with CHANGED:
            sandbox, _ = self.locate(uid)
            if not sandbox:
                return
            container = Container(sandbox, self.body)
            if not any(c.id == container.id for c in sandbox.containers):
                try:
                    container.begin()
                except OSError as e:
                    return self.fail(500, "StartError", str(e))
                sandbox.containers.append(container)
                threading.Thread(target=container.run).start()
                sandbox.report()
            state = sandbox.json()
        self.answer(200, state)

    def patch_sandboxes(self, uid):
        with CHANGED:
            sandbox, _ = self.locate(uid)
            if sandbox:
                backend.write_volumes(sandbox.root, sandbox.specs, self.body["volumes"])
        if sandbox:
            self.answer(204)

    def post_sandboxes(self, uid, _, name, action):
        with CHANGED:
            sandbox, container = self.locate(uid, name)
        if container:
            getattr(self, action)(sandbox, container)

    def stop(self, sandbox, container):
        container.stop(max(1, self.body["gracePeriodSeconds"]))
        with CHANGED:
            CHANGED.wait_for(lambda: "running" not in container.state)
            state = sandbox.json()
        self.answer(200, state)

    def resize(self, sandbox, _):
        self.answer(200, sandbox.json())  # nothing limits a process here: it may have any size

    def probe(self, _, container):
        well = container.running() and container.healthy(self.body["handler"], self.body["timeoutSeconds"])
        self.answer(200, {"outcome": "Success" if well else "Failure"})

    def hook(self, _, container):
        if container.running() and container.healthy(self.body["handler"], 600):
            return self.answer(204)
        self.fail(500, "HookFailed", "the hook has failed")

    def delete_sandboxes(self, uid, _=None, name=None):
        with CHANGED:
            sandbox, container = self.locate(uid, name)
            if not sandbox or name and not container:
                return
            if name:
                if container.running():
                    return self.fail(409, "Running", f"container {container.id} runs")
                sandbox.containers.remove(container)
                sandbox.report()
                return self.answer(200, sandbox.json())
            del SANDBOXES[uid]
        sandbox.remove()
        with CHANGED:
            sandbox.dead = True
            backend.gone(uid)
        self.answer(204)

    def get_image(self):
        image = IMAGES.get((self.asked("node"), self.asked("image")))
        self.answer(200, {"id": image}) if image else self.fail(404, "NotFound", "the node does not have the image")

    def put_image(self):
        IMAGES[self.asked("node"), self.asked("image")] = "name://" + self.asked("image")
        self.answer(201, {"id": "name://" + self.asked("image")})

    def find(self, uid, name):
        if not name:
            return SANDBOXES.get(uid)
        known = (SANDBOXES[uid].containers if uid in SANDBOXES else []) + list(ENDED)
        return next((c for c in known if c.sandbox.uid == uid and c.id == self.asked("containerId")), None)

    def instances(self, node):
        return [((s.uid, s.meta["namespace"], s.meta["name"]), c) for s in SANDBOXES.values() if s.node == node for c in s.containers]


def end():
    for container in [c for sandbox in SANDBOXES.values() for c in sandbox.containers]:
        kill(container.process, signal.SIGKILL)


if __name__ == "__main__":
    backend.serve(Containers, __doc__, end)
