{{- define "kinfolk.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "kinfolk.selector" -}}
app.kubernetes.io/name: kinfolk
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "kinfolk.labels" -}}
{{ include "kinfolk.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{- define "kinfolk.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{- define "kinfolk.secret" -}}
{{ .Values.secrets.existing | default (include "kinfolk.name" .) }}
{{- end -}}

{{/* Of every container: no privileges, nothing written but volumes. */}}
{{- define "kinfolk.container" -}}
image: {{ include "kinfolk.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- end -}}

{{/* Of the containers that run Kinfolk. */}}
{{- define "kinfolk.environment" -}}
env:
  - name: KINFOLK_SITE
    value: {{ clean (printf "/site/%s" .Values.site.folder) }}
envFrom:
  - configMapRef:
      name: {{ include "kinfolk.name" . }}
{{- if or .Values.secrets.existing .Values.secrets.values }}
  - secretRef:
      name: {{ include "kinfolk.secret" . }}
{{- end }}
volumeMounts:
  - name: var
    mountPath: /var/lib/kinfolk
  - name: temporary
    mountPath: /tmp
{{- if .Values.site.repository }}
  - name: site
    mountPath: /site
    readOnly: true
{{- end }}
{{- end -}}
