import { auditlog } from '#resources/audit/auditlog'
import { rules } from '../../../crud/rules.ts'
import { verify } from './verify.ts'

/** Rules of logs beyond their definitions. */
export const auditRules = [rules(auditlog, { handlers: { verify } })]
