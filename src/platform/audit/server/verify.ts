import type { auditlog } from '#resources/audit/auditlog'
import type { HandlerOf } from '../../../crud/rules.ts'
import type { AuditState } from './audit-chain.ts'

/** What became of the chain, in words. */
const faultText = (broken: AuditState['broken'], fault: AuditState['fault']): string => {
  if (broken === null) return '审计日志完整，没有被改动'
  if (fault === 'erased') return `审计日志第${broken}条的内容已被清除，没有准许清除的记录`
  return `审计日志从第${broken}条起与写入时不一致`
}

/** Computes the audit chain of the caller's tenant again and tells what became of it. */
export const verify: HandlerOf<typeof auditlog, 'verify'> = async ({ app, person }) => {
  const { count, hash, broken, fault } = await app.audit.verify(person.tenantId)
  const message = faultText(broken, fault)
  return { message, count, hash, ok: broken === null }
}
