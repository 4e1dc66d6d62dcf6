{{/* The name of everything of one application: (dict "root" . "app" "index-streams"). */}}
{{- define "cellmesh.name" -}}
{{- printf "%s-%s" .root.Release.Name .app | trunc 52 | trimSuffix "-" -}}
{{- end -}}

{{- define "cellmesh.files" -}}
{{- printf "%s-files" .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* What never changes for a workload, so that it can be upgraded. */}}
{{- define "cellmesh.selector" -}}
app.kubernetes.io/name: {{ .app }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- end -}}

{{- define "cellmesh.labels" -}}
app.kubernetes.io/part-of: cellmesh
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{/*
A pod of one application: (dict "root" . "app" "index-streams" "values" .Values.indexStreams "command" (list …)).
Alive is whoever answers; a process that cannot work says 503 at /health and goes on by itself, so that makes it
unready and never ends it. A worker says how it is on the port that it serves at.
*/}}
{{- define "cellmesh.pod" -}}
{{- $root := .root -}}
{{- $health := dict "port" "--health-port" "bind" "--health-bind" "name" "health" "ready" "/health" "alive" "/metrics" -}}
{{- if eq .app "worker" -}}
{{- $health = dict "port" "--port" "bind" "--bind" "name" "http" "ready" "/readyz" "alive" "/healthz" -}}
{{- end -}}
{{- $cohorts := .values.cohorts | default "" -}}
{{- if and $cohorts (not (hasKey $root.Values.files $cohorts)) -}}
{{- fail (printf "files has no %q, which %s is to read as its list of instances" $cohorts .app) -}}
{{- end -}}
{{- if not (or $cohorts (hasKey $root.Values.files .values.deployment)) -}}
{{- fail (printf "files has no %q, which %s is to read as its deployment file" .values.deployment .app) -}}
{{- end -}}
metadata:
  labels:
    {{- include "cellmesh.selector" . | nindent 4 }}
    {{- include "cellmesh.labels" $root | nindent 4 }}
    {{- with $root.Values.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  annotations:
    {{- if not $cohorts }}
    # Other files make other pods, since they are read once; those of a cohort are looked at all the time.
    checksum/files: {{ toYaml $root.Values.files | sha256sum }}
    {{- end }}
    {{- with $root.Values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: 60
  {{- with $root.Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: {{ $root.Values.userId }}
    runAsGroup: {{ $root.Values.userId }}
    fsGroup: {{ $root.Values.userId }}
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile:
      type: RuntimeDefault
  containers:
    - name: {{ .app }}
      image: {{ printf "%s:%s" $root.Values.image.repository ($root.Values.image.tag | default $root.Chart.AppVersion) | quote }}
      imagePullPolicy: {{ $root.Values.image.pullPolicy }}
      command:
        {{- toYaml .command | nindent 8 }}
      args:
        {{- if $cohorts }}
        - --cohorts
        - {{ printf "/etc/cellmesh/%s" $cohorts | quote }}
        {{- else }}
        - --deployment
        - {{ printf "/etc/cellmesh/%s" .values.deployment | quote }}
        - --dc
        - {{ $root.Values.dc | quote }}
        {{- end }}
        - {{ $health.port }}
        - "8080"
        - {{ $health.bind }}
        - "0.0.0.0"
        {{- range .values.args }}
        - {{ . | quote }}
        {{- end }}
      {{- with .values.javaOpts }}
      env:
        - name: CELLMESH_JAVA_OPTS
          value: {{ . | quote }}
      {{- end }}
      ports:
        - name: {{ $health.name }}
          containerPort: 8080
      readinessProbe:
        httpGet:
          path: {{ $health.ready }}
          port: {{ $health.name }}
        periodSeconds: 10
        timeoutSeconds: 5
      livenessProbe:
        httpGet:
          path: {{ $health.alive }}
          port: {{ $health.name }}
        initialDelaySeconds: 60
        periodSeconds: 20
        timeoutSeconds: 10
        failureThreshold: 6
      resources:
        {{- toYaml .values.resources | nindent 8 }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: [ALL]
      volumeMounts:
        - name: files
          mountPath: /etc/cellmesh
          readOnly: true
        # Native libraries are unpacked there.
        - name: tmp
          mountPath: /tmp
        {{- if eq .app "index-streams" }}
        - name: state
          mountPath: /var/lib/cellmesh
        {{- end }}
        {{- range $root.Values.secrets }}
        - name: {{ printf "secret-%s" (. | replace "." "-") | trunc 63 | trimSuffix "-" }}
          mountPath: {{ printf "/mnt/%s" . | quote }}
          readOnly: true
        {{- end }}
  volumes:
    - name: files
      configMap:
        name: {{ include "cellmesh.files" $root }}
    - name: tmp
      emptyDir:
        sizeLimit: 256Mi
    {{- range $root.Values.secrets }}
    - name: {{ printf "secret-%s" (. | replace "." "-") | trunc 63 | trimSuffix "-" }}
      secret:
        secretName: {{ . | quote }}
        defaultMode: 0440
    {{- end }}
  {{- with $root.Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $root.Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $root.Values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
