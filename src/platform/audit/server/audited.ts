import type { auditEvent } from '#schemas/dictionaries'

/** A kind of security event, a key of its dictionary. */
export type AuditEvent = keyof typeof auditEvent.entries & string

const write = '(submit|save|remove|update)'

/**
 * The calls whose use is kept in the audit log, by their address below `/api`; the first that fits counts. A call that is
 * not here leaves its trace in the log of calls only.
 */
const calls: readonly (readonly [event: AuditEvent, address: RegExp])[] = [
  ['login', /^POST \/blade-auth\/oauth\/token$/],
  ['logout', /^GET \/blade-auth\/oauth\/logout$/],
  ['password', /\/user\/(update-password|reset-password|find-password|reset-factor|second-factor\/(confirm|remove))$/],
  ['disable', /\/user\/(changeStatus|disable)$/],
  ['grant', /\/(user|role|menu|topmenu)\/(grant|add-role|changeIsBack|backOn|backOff)$/],
  ['grant', new RegExp(`/(role|menu|topmenu|data-scope|api-scope|examuser)/${write}$`)],
  ['grant', /\/examuser\/(appoint|dismiss|copyFrom)$/],
  ['account', /\/user\/(submit|update|remove|saveUser|unlock|audit-pass|audit-refuse|update-platform)$/],
  ['account', /\/idclaim\/(pass|reject)$/],
  ['account', /\/datarequest\/(accept|finish|refuse|confirmRefusal|sendBack)$/],
  ['account', /^POST \/blade-auth\/oauth\/(bind|unbind|authorize)(\/:source)?$/],
  ['purge', /\/datapurge\/(plan|confirm|cancel|resume)$/],
  ['purge', /\/datahold\/(submit|release)$/],
  ['tenant', /^POST \/blade-system\/(tenant|tenant-package|client)\//],
  ['param', new RegExp(`/param/${write}$`)],
  ['dict', new RegExp(`/dict(-biz)?/${write}$`)],
  ['config', new RegExp(`/(oss|sms|datasource|job-server|pay|oauth-source)/(${write}|enable|disable)$`)],
  ['config', new RegExp(`/hook/(${write}|enable|disable|issue|rotate)$`)],
  ['config', /\/blade-flow\/(model\/deploy|manager\/(change-state|deploy-upload|delete-deployment))$/],
  ['void', /\/follow\/delete-process-instance$/],
  ['grant', /\/checkIn\/appoint$/],
  ['export', /\/checkIn\/bundle$/],
  ['attend', /\/checkIn\/sync$/],
  ['export', /\/(examination\/archiveWhole|examarchive\/(confirm|drop))$/],
  ['reveal', /\/reveal\w*$/],
  ['export', /\/(export\w*|statisticsInfoExcel|exporttask\/download)$/],
  ['examine', /^POST \/blade-signup\/examine\/(examine|examineBatch|reviewInfo|revoke)$/],
  [
    'void',
    /\/(cancelQualification|keepQualification|restoreQualification|voidTicket|reissueTicket|deleteTicket|deleteResult)$/,
  ],
  ['void', /\/examinationticket\/remove$/],
  ['release', /\/((release|recall|close)[A-Z]\w*|examination\/archive)$/],
  ['refund', /^POST .*\/\w*refund\w*(\/\w+)?$/i],
]

/** What the use of a call means for the audit log; null for nothing. */
export function auditEventOf(method: string, url: string): AuditEvent | null {
  const address = `${method} ${url.replace(/^\/api/, '')}`
  return calls.find(([, pattern]) => pattern.test(address))?.[0] ?? null
}
