import { readConfig } from '../platform/config/config.ts'
import { buildApp } from './app.ts'

// Compares the audit log of every tenant with what was written: `npm run audit`. Ends with 1 when it was tampered with.
const app = await buildApp({ ...readConfig(), demo: false, jobs: false, checksFiles: false })
const tenants = await app.db.selectFrom('tenant').select(['tenantId', 'tenantName']).orderBy('tenantId').execute()
for (const { tenantId, tenantName } of tenants) {
  const { count, hash, broken } = await app.audit.verify(tenantId)
  const found = broken === null ? `完整，末条摘要 ${hash}` : `从第${broken}条起与写入时不一致`
  console.log(`${tenantId} ${tenantName}：审计日志${count}条，${found}`)
  if (broken !== null) process.exitCode = 1
}
await app.close()
