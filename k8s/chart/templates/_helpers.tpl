{{- define "vertlet.namespace" -}}
{{ .Values.namespace.name | default .Release.Namespace }}
{{- end }}

{{- define "vertlet.image" -}}
{{ .Values.image.repository }}
{{- if .Values.image.digest }}@{{ .Values.image.digest }}{{ else }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{- define "vertlet.config" -}}
vertlet.json: |
  {{- .Values.config | toPrettyJson | nindent 2 }}
java.args: |
  {{- .Values.javaArgs | default (.Files.Get "files/java.args") | trim | nindent 2 }}
{{- end }}

{{- define "vertlet.subjects" -}}
subjects:
  - kind: ServiceAccount
    name: vertlet
    namespace: {{ include "vertlet.namespace" . }}
{{- end }}
