"""What people write with Kubernetes' client for Python, for the cluster tests.

python client.py KUBECONFIG NAMESPACE POD CONTAINER CONFIGMAP
"""
import sys

from kubernetes import client, config, watch
from kubernetes.stream import stream

kubeconfig, namespace, pod, container, name = sys.argv[1:]
config.load_kube_config(kubeconfig)
api = client.CoreV1Api()

pods = api.list_namespaced_pod(namespace)
print("list", str(any(each.metadata.name == pod for each in pods.items)).lower())

metadata = {"name": name}
try:
    api.create_namespaced_config_map(namespace, {"metadata": metadata, "data": {"a b": "c"}})
except client.ApiException as e:
    print("refused", e.status)

before = api.list_namespaced_config_map(namespace).metadata.resource_version
api.create_namespaced_config_map(namespace, {"metadata": metadata, "data": {"key": "value"}})
patched = api.patch_namespaced_config_map(name, namespace, {"data": {"key": "patched"}})
print("patch", patched.data["key"])
api.delete_namespaced_config_map(name, namespace)
events = []
changes = watch.Watch()
for event in changes.stream(
    api.list_namespaced_config_map, namespace, field_selector=f"metadata.name={name}", resource_version=before
):
    events.append(event["type"])
    if len(events) == 3:
        changes.stop()
print("watch", *events)

session = stream(
    api.connect_get_namespaced_pod_exec,
    pod,
    namespace,
    container=container,
    command=["sh", "-c", "echo out; echo err >&2; exit 3"],
    stdin=False,
    stdout=True,
    stderr=True,
    _preload_content=False,
)
session.run_forever()
print("exec", session.read_stdout().strip(), session.read_stderr().strip(), session.returncode)

read = 0
lines = watch.Watch()
for line in lines.stream(api.read_namespaced_pod_log, pod, namespace, container=container, follow=True):
    read += 1
    if read == 5:
        lines.stop()
print("logs", read)
