import { auditlog } from '#resources/audit/auditlog'
import { rules } from '../../../crud/rules.ts'
import { deriveDeeds } from './deeds.ts'
import { verify } from './verify.ts'

/** Rules of logs beyond their definitions. */
export const auditRules = [rules(auditlog, { hooks: { derive: deriveDeeds }, handlers: { verify } })]
