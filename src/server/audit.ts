import { verifyAllActs } from '../modules/review/server/log-chain.ts'
import { readConfig } from '../platform/config/config.ts'
import { liveFor } from '../platform/database/live.ts'
import { buildApp } from './app.ts'

// Compares the audit log and the acts of review of every tenant with what was written: `npm run audit`. Ends with 1 when it was tampered with.
const app = await buildApp({ ...readConfig(), demo: false, jobs: false, checksFiles: false })
const tenants = await app.db.selectFrom('tenant').select(['tenantId', 'tenantName']).orderBy('tenantId').execute()
for (const { tenantId, tenantName } of tenants) {
  const { count, hash, broken, fault } = await app.audit.verify(tenantId)
  const wrong =
    fault === 'erased' ? `第${broken}条的内容已被清除，没有准许清除的记录` : `从第${broken}条起与写入时不一致`
  console.log(`${tenantId} ${tenantName}：审计日志${count}条，${broken === null ? `完整，末条摘要 ${hash}` : wrong}`)
  const acts = await verifyAllActs(liveFor(app, { tenantId, userId: null, now: app.now }), tenantId)
  const found = acts.broken ? `报名${acts.broken.signupId}的记录${acts.broken.id}与写入时不一致` : '完整'
  console.log(`${tenantId} ${tenantName}：审核记录${acts.count}条，${found}`)
  if (broken !== null || acts.broken) process.exitCode = 1
}
await app.close()
