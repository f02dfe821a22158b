import type { auditlog } from '#resources/audit/auditlog'
import type { HandlerOf } from '../../../crud/rules.ts'

/** Computes the audit chain of the caller's tenant again and tells what became of it. */
export const verify: HandlerOf<typeof auditlog, 'verify'> = async ({ app, person }) => {
  const { count, hash, broken } = await app.audit.verify(person.tenantId)
  const message = broken === null ? '审计日志完整，没有被改动' : `审计日志从第${broken}条起与写入时不一致`
  return { message, count, hash, ok: broken === null }
}
